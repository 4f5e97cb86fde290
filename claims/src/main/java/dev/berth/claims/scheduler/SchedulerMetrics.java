package dev.berth.claims.scheduler;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/** What operators count, under the names that they know from kube-scheduler. */
final class SchedulerMetrics {
    private final Counter attempts;
    private final Histogram durations;
    private final Counter refusals;

    SchedulerMetrics(PrometheusRegistry registry, PodQueue queue) {
        attempts = Counter.builder()
                .name("berth_schedule_attempts_total")
                .help("Attempts to place a pod, by result: scheduled, unschedulable, lost_race, error or not_wanted.")
                .labelNames("result")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_scheduling_attempt_duration_seconds")
                .help("Time of an attempt, from the queue to the binding or the refusal, by result.")
                .classicOnly()
                .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("result")
                .register(registry);
        refusals = Counter.builder()
                .name("berth_refusals_total")
                .help("Refusals, by what kind of reason some node had.")
                .labelNames("reason")
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_pending_pods")
                .help("Pods that wait for a node: those to be tried, and those that wait for something to change.")
                .labelNames("queue")
                .callback(callback -> {
                    int parked = queue.parked();
                    callback.call(parked, "unschedulable");
                    callback.call(Math.max(0, queue.size() - parked), "active");
                })
                .register(registry);
    }

    void count(Outcome outcome, Duration took) {
        var result = switch (outcome) {
            case Outcome.Placed _ -> "scheduled";
            case Outcome.Refused refused -> {
                refused.codes().forEach(code -> refusals.labelValues(code).inc());
                yield "unschedulable";
            }
            case Outcome.LostRace _ -> "lost_race";
            case Outcome.Failed _ -> "error";
            case Outcome.NotWanted _ -> "not_wanted";
        };
        attempts.labelValues(result).inc();
        durations.labelValues(result).observe(took.toNanos() / 1e9);
    }
}
