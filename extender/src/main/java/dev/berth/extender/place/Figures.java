package dev.berth.extender.place;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Supplier;

/** How many pods were asked about, what became of them, how long it took, and why nodes were not the one. */
final class Figures {
    private final Counter attempts;
    private final Histogram durations;
    private final Counter refusals;

    Figures(PrometheusRegistry registry) {
        attempts = Counter.builder()
                .name("berth_schedule_attempts_total")
                .help("Questions about GPU pods, by what became of them: scheduled, unschedulable or error.")
                .labelNames("result")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_scheduling_attempt_duration_seconds")
                .help("Time from a question about a GPU pod to its answer.")
                .classicOnly()
                .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("result")
                .register(registry);
        refusals = Counter.builder()
                .name("berth_refusals_total")
                .help("GPU pods for which no node was found, by why: no_gpu, no_room, quota or not_written.")
                .labelNames("reason")
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
        attempts.labelValues(result).inc();
        durations.labelValues(result).observe((System.nanoTime() - start) / 1e9);
        return outcome;
    }

    private static String kind(String reason) {
        if (reason.equals(Reasons.NO_GPU)) {
            return "no_gpu";
        }
        if (reason.equals(Reasons.NOT_WRITTEN)) {
            return "not_written";
        }
        return reason.startsWith("ExceedsGPUQuota") ? "quota" : "no_room";
    }
}
