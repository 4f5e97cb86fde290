package dev.berth.advisor.agent;

import dev.berth.advisor.model.Advice;
import dev.berth.advisor.model.Belief;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Question;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.wire.ScoreRequest;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** Advises and learns, and counts both: the agent without its HTTP. */
public final class Agent implements AutoCloseable {
    /** Job types are the users' words: beyond this many the metrics call them other. */
    private static final int MOST_LABELS = 200;

    private static final double TOLERATED_EXPLORATION = 0.1;
    private static final double[] BUCKETS = {.005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10};

    private final AgentSettings settings;
    private final Learning learning;
    private final Watch watch;
    private final Counter decisions;
    private final Counter observations;
    private final Histogram durations;
    private final Set<String> labelled = ConcurrentHashMap.newKeySet();

    public Agent(
            AgentSettings settings,
            Store store,
            RandomGenerator random,
            InstantSource clock,
            PrometheusRegistry registry) {
        this.settings = settings;
        this.learning = new Learning(settings, store, random, clock);
        learning.keepUp(false);
        this.watch = Watch.over(learning);
        this.decisions = Counter.builder()
                .name("scheduler_decisions_total")
                .help(
                        "Decisions, by the GPU type that was chosen and by what the choice was for: exploration or exploitation.")
                .labelNames("gpu_type", "decision_type")
                .register(registry);
        this.observations = Counter.builder()
                .name("scheduler_observe_events_total")
                .help("Run times that were learned from.")
                .labelNames("job_type", "gpu_type")
                .register(registry);
        this.durations = Histogram.builder()
                .name("scheduler_scoring_duration_seconds")
                .help("How long a decision took.")
                .classicOnly()
                .classicUpperBounds(BUCKETS)
                .register(registry);
        gauge(
                registry,
                "scheduler_exploration_ratio",
                "The share of decisions that explored.",
                learning::explorationRatio);
        gauge(
                registry,
                "scheduler_avg_uncertainty",
                "The mean standard deviation of what is known.",
                learning::averageUncertainty);
        gauge(
                registry,
                "scheduler_regret_estimate",
                "The share of explorations beyond a tenth.",
                () -> Math.max(0, learning.explorationRatio() - TOLERATED_EXPLORATION));
    }

    private static void gauge(PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }

    /** The advice; empty if no candidate has the memory that the job needs. */
    public Optional<Advice> score(ScoreRequest request) {
        var candidates = settings.memory().largeEnough(request.candidates(), request.memoryGib());
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        long start = System.nanoTime();
        var advice = learning.advise(new Question(request.jobType(), candidates, request.colocated()));
        durations.observe((System.nanoTime() - start) / 1e9);
        decisions
                .labelValues(label(advice.chosen()), advice.explores() ? "exploration" : "exploitation")
                .inc();
        return Optional.of(advice);
    }

    /** @throws dev.berth.advisor.store.StoreException if it cannot be kept; then nothing was learned */
    public void observe(Observation observation) {
        if (learning.observe(observation)) {
            observations
                    .labelValues(label(observation.jobType()), label(observation.gpuType()))
                    .inc();
        }
    }

    /** What it believes now. */
    public List<Belief> beliefs() {
        return learning.beliefs();
    }

    private String label(String word) {
        if (labelled.contains(word) || (labelled.size() < MOST_LABELS && labelled.add(word))) {
            return word;
        }
        return "other";
    }

    /** What stands in the way of good work. A probe asks for no decision: those change what is decided later. */
    Optional<String> problem() {
        return learning.problem();
    }

    AgentSettings settings() {
        return settings;
    }

    /** Ends what goes on in the background; the store is its opener's. */
    @Override
    public void close() {
        watch.close();
    }
}
