package dev.berth.advisor.webhook;

import dev.berth.advisor.ask.NoAdviceException;
import dev.berth.advisor.ask.Recommendation;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;

/** How often advice was written, how often there was none, and how long the agent took. */
final class MutationMetrics {
    private static final double[] BUCKETS = {.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};

    private final Counter mutations;
    private final Counter unadvised;
    private final Histogram durations;

    MutationMetrics(PrometheusRegistry registry) {
        mutations = Counter.builder()
                .name("berth_advisor_mutations_total")
                .help("Pods and templates that got advice, by kind and by the priority class of their score.")
                .labelNames("kind", "priority_class")
                .register(registry);
        unadvised = Counter.builder()
                .name("berth_advisor_unadvised_total")
                .help(
                        "Pods and templates that went on without advice, by what was wrong with the agent: unreachable, timeout, refused or invalid.")
                .labelNames("reason")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_advisor_scoring_duration_seconds")
                .help("How long the agent took to answer, or to fail.")
                .classicOnly()
                .classicUpperBounds(BUCKETS)
                .register(registry);
    }

    /** A question to the agent. */
    interface Asking {
        Recommendation ask() throws NoAdviceException;
    }

    Recommendation timed(Asking asking) throws NoAdviceException {
        long start = System.nanoTime();
        try {
            return asking.ask();
        } finally {
            durations.observe((System.nanoTime() - start) / 1e9);
        }
    }

    void mutated(String kind, String priorityClass) {
        mutations.labelValues(kind, priorityClass).inc();
    }

    void unadvised(NoAdviceException.Cause why) {
        unadvised.labelValues(why.name().toLowerCase(Locale.ROOT)).inc();
    }
}
