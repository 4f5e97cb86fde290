package dev.berth.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Every policy with every seed on one trace. */
public final class Simulation {
    private final Trace trace;
    private final Settings settings;

    /**
     * What is asked for.
     *
     * @param arrive until pods have asked for this part of all GPUs
     * @param threads how many runs go on at a time; what comes out does not depend on it
     * @param movable this part of the pods that have a place may be moved once, when all have come
     */
    public record Settings(List<String> policies, List<Long> seeds, double arrive, int threads, double movable) {
        public Settings {
            policies = List.copyOf(policies);
            seeds = List.copyOf(seeds);
            if (policies.isEmpty() || seeds.isEmpty()) {
                throw new IllegalArgumentException("a simulation needs a policy and a seed");
            }
        }

        /** Nobody is moved. */
        public Settings(List<String> policies, List<Long> seeds, double arrive, int threads) {
            this(policies, seeds, arrive, threads, 0);
        }

        public int runs() {
            return policies.size() * seeds.size();
        }
    }

    public Simulation(Trace trace, Settings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** @param done is told after each run how many are done */
    public Comparison run(IntConsumer done) throws InterruptedException {
        var fill = new Fill(trace, settings.arrive(), settings.movable());
        List<Callable<Outcome>> runs = new ArrayList<>();
        for (var policy : settings.policies()) {
            for (var seed : settings.seeds()) {
                runs.add(() -> fill.run(policy, seed));
            }
        }
        Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, settings.threads()))) {
            var started = runs.stream().map(threads::submit).toList();
            int finished = 0;
            for (var run : started) {
                var outcome = result(run, threads);
                outcomes.computeIfAbsent(outcome.policy(), _ -> new ArrayList<>())
                        .add(outcome);
                done.accept(++finished);
            }
        }
        return new Comparison(trace, settings, outcomes);
    }

    private static Outcome result(Future<Outcome> run, ExecutorService threads) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException failed) {
            threads.shutdownNow();
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            threads.shutdownNow();
            throw interrupted;
        }
    }
}
