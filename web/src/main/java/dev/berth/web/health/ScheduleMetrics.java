package dev.berth.web.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** What operators count of a scheduler, under the names that they know from kube-scheduler. */
public final class ScheduleMetrics {
    /** How an attempt ended. */
    public enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        LOST_RACE,
        ERROR,
        NOT_WANTED
    }

    private final AttemptMetrics attempts;
    private final Counter refusals;

    /**
     * @param door whose scheduler it is
     * @param waiting how many pods wait for a node
     * @param parked how many of them wait for something to change
     * @param leading whether this replica is the one that places pods
     */
    public ScheduleMetrics(
            PrometheusRegistry registry,
            String door,
            IntSupplier waiting,
            IntSupplier parked,
            BooleanSupplier leading) {
        var labels = Labels.of("door", door);
        attempts = new AttemptMetrics(
                registry,
                door,
                "Attempts to place a pod, by result: scheduled, unschedulable, lost_race, error or not_wanted.",
                "Time of an attempt, from the queue to the binding or the refusal, by result.");
        refusals = Counter.builder()
                .name("berth_refusals_total")
                .help("Refusals, by what kind of reason some node had.")
                .labelNames("reason")
                .constLabels(labels)
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_pending_pods")
                .help("Pods that wait for a node: those to be tried, and those that wait for something to change.")
                .labelNames("queue")
                .constLabels(labels)
                .callback(callback -> {
                    int still = parked.getAsInt();
                    callback.call(still, "unschedulable");
                    callback.call(Math.max(0, waiting.getAsInt() - still), "active");
                })
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_leader")
                .help("Whether this replica is the one that places pods, 1 or 0.")
                .constLabels(labels)
                .callback(callback -> callback.call(leading.getAsBoolean() ? 1 : 0))
                .register(registry);
    }

    /** @param reasons what kinds of reasons a refusal had */
    public void count(Result result, Collection<String> reasons, Duration took) {
        reasons.forEach(reason -> refusals.labelValues(reason).inc());
        attempts.count(result.name().toLowerCase(Locale.ROOT), took);
    }
}
