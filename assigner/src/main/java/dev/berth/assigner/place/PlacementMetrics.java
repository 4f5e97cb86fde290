package dev.berth.assigner.place;

import dev.berth.web.health.AttemptMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/** How many requests for GPUs were made, what became of them, and how long they took. */
final class PlacementMetrics {
    private final AttemptMetrics attempts;

    PlacementMetrics(PrometheusRegistry registry) {
        attempts = new AttemptMetrics(
                registry,
                "assigner",
                "Requests for GPUs, by what became of them: scheduled, unschedulable or error.",
                "Time from a pod's request to its reservation or refusal.");
    }

    void decided(Outcome outcome, long nanos) {
        var result = switch (outcome) {
            case Outcome.Reserved _ -> "scheduled";
            case Outcome.NothingFree _ -> "unschedulable";
            case Outcome.Undecided _ -> "error";
        };
        attempts.count(result, Duration.ofNanos(nanos));
    }
}
