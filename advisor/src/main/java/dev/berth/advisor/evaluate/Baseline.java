package dev.berth.advisor.evaluate;

import dev.berth.advisor.model.Advice;
import dev.berth.advisor.model.Advice.Terms;
import dev.berth.advisor.model.Model;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import dev.berth.advisor.model.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** What a model must beat to be worth its while. */
final class Baseline implements Model {
    private final String name;
    private final Choice choice;
    private final Map<Pair, double[]> runs = new HashMap<>();

    private interface Choice {
        String of(Question question, Map<Pair, double[]> runs);
    }

    private Baseline(String name, Choice choice) {
        this.name = name;
        this.choice = choice;
    }

    static Baseline random(RandomGenerator random) {
        return new Baseline(
                "random",
                (question, _) -> question.candidates()
                        .get(random.nextInt(question.candidates().size())));
    }

    /** Each job type goes to the GPU that it went to least often. */
    static Baseline roundRobin() {
        var turns = new HashMap<Pair, Integer>();
        return new Baseline("round-robin", (question, _) -> {
            var chosen = question.candidates().getFirst();
            for (var gpu : question.candidates()) {
                if (turns(turns, question, gpu) < turns(turns, question, chosen)) chosen = gpu;
            }
            turns.merge(new Pair(question.jobType(), chosen), 1, Integer::sum);
            return chosen;
        });
    }

    private static int turns(Map<Pair, Integer> turns, Question question, String gpu) {
        return turns.getOrDefault(new Pair(question.jobType(), gpu), 0);
    }

    /** Each pair is tried once; then the best mean wins. */
    static Baseline greedy() {
        return new Baseline("greedy", (question, runs) -> {
            var chosen = question.candidates().getFirst();
            for (var gpu : question.candidates()) {
                if (mean(runs, question, gpu) < mean(runs, question, chosen)) chosen = gpu;
            }
            return chosen;
        });
    }

    private static double mean(Map<Pair, double[]> runs, Question question, String gpu) {
        var known = runs.get(new Pair(question.jobType(), gpu));
        return known == null ? 0 : known[0] / known[1];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Advice advise(Question question) {
        return new Advice(choice.of(question, runs), 50, List.of(), new Terms(0, 0, 0, 0, 0), false);
    }

    @Override
    public void observe(Observation observation) {
        var known = runs.computeIfAbsent(new Pair(observation.jobType(), observation.gpuType()), _ -> new double[2]);
        known[0] += observation.seconds();
        known[1]++;
    }
}
