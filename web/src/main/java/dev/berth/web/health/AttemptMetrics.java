package dev.berth.web.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;

/** Attempts to place something, by how they ended, and how long they took: the same names at every door. */
public final class AttemptMetrics {
    private final Counter attempts;
    private final Histogram durations;

    /**
     * @param door which door it is: some are asked side by side, and have these in common
     * @param attempt what an attempt is at this door, and how it may end
     * @param time from when to when it is timed
     */
    public AttemptMetrics(PrometheusRegistry registry, String door, String attempt, String time) {
        attempts = Counter.builder()
                .name("berth_schedule_attempts_total")
                .help(attempt)
                .labelNames("result")
                .constLabels(Labels.of("door", door))
                .register(registry);
        durations = Histogram.builder()
                .name("berth_scheduling_attempt_duration_seconds")
                .help(time)
                .classicOnly()
                .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("result")
                .constLabels(Labels.of("door", door))
                .register(registry);
    }

    public void count(String result, Duration took) {
        attempts.labelValues(result).inc();
        durations.labelValues(result).observe(took.toNanos() / 1e9);
    }
}
