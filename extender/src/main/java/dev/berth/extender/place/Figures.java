package dev.berth.extender.place;

import dev.berth.web.health.AttemptMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.function.Supplier;

/** How many pods were asked about, what became of them, how long it took, and why nodes were not the one. */
final class Figures {
    private final AttemptMetrics attempts;
    private final Counter refusals;

    Figures(PrometheusRegistry registry) {
        attempts = new AttemptMetrics(
                registry,
                "extender",
                "Questions about GPU pods, by what became of them: scheduled, unschedulable or error.",
                "Time from a question about a GPU pod to its answer.");
        refusals = Counter.builder()
                .name("berth_refusals_total")
                .help("GPU pods for which no node was found, by why: no_gpu, no_room, quota or not_written.")
                .labelNames("reason")
                .constLabels(Labels.of("door", "extender"))
                .register(registry);
    }

    Outcome counted(Supplier<Outcome> question) {
        long start = System.nanoTime();
        var outcome = question.get();
        var result = switch (outcome) {
            case Outcome.Chosen _ -> "scheduled";
            case Outcome.Refused(var nodes) -> {
                nodes.stream()
                        .map(node -> kind(node.reason()))
                        .distinct()
                        .forEach(kind -> refusals.labelValues(kind).inc());
                yield "unschedulable";
            }
            case Outcome.Undecided _ -> "error";
        };
        attempts.count(result, Duration.ofNanos(System.nanoTime() - start));
        return outcome;
    }

    private static String kind(String reason) {
        if (reason.equals(Reasons.NO_GPU)) {
            return "no_gpu";
        }
        if (reason.equals(Reasons.NOT_WRITTEN)) {
            return "not_written";
        }
        return Reasons.aboutQuota(reason) ? "quota" : "no_room";
    }
}
