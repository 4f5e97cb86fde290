package dev.berth.assigner.place;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** How many requests for GPUs were made, what became of them, and how long they took. */
final class PlacementMetrics {
    private final Counter attempts;
    private final Histogram durations;

    PlacementMetrics(PrometheusRegistry registry) {
        attempts = Counter.builder()
                .name("berth_schedule_attempts_total")
                .help("Requests for GPUs, by what became of them: scheduled, unschedulable or error.")
                .labelNames("result")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_scheduling_attempt_duration_seconds")
                .help("Time from a pod's request to its reservation or refusal.")
                .classicOnly()
                .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("result")
                .register(registry);
    }

    void decided(Outcome outcome, long nanos) {
        var result = switch (outcome) {
            case Outcome.Reserved _ -> "scheduled";
            case Outcome.NothingFree _ -> "unschedulable";
            case Outcome.Undecided _ -> "error";
        };
        attempts.labelValues(result).inc();
        durations.labelValues(result).observe(nanos / 1e9);
    }
}
