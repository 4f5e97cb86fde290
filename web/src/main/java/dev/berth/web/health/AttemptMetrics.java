package dev.berth.web.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/** Attempts to place something, by how they ended, and how long they took: the same names at every door. */
public final class AttemptMetrics {
    private final Counter attempts;
    private final Histogram durations;

    /**
     * @param attempt what an attempt is at this door, and how it may end
     * @param time from when to when it is timed
     */
    public AttemptMetrics(PrometheusRegistry registry, String attempt, String time) {
        attempts = Counter.builder()
                .name("berth_schedule_attempts_total")
                .help(attempt)
                .labelNames("result")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_scheduling_attempt_duration_seconds")
                .help(time)
                .classicOnly()
                .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("result")
                .register(registry);
    }

    public void count(String result, Duration took) {
        attempts.labelValues(result).inc();
        durations.labelValues(result).observe(took.toNanos() / 1e9);
    }
}
