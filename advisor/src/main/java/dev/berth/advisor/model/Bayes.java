package dev.berth.advisor.model;

import dev.berth.advisor.model.Advice.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Posteriors of run times, and Thompson's choice: every candidate's run time is drawn from what is believed of it, and
 * the shortest wins. What is unsure is tried as often as it may be the best, and no more often.
 */
public final class Bayes implements Model {
    private static final double NO_DIFFERENCE = 50;
    private static final double DISTURBING = Math.log(1.1);
    /**
     * The share of its doubts that a draw shows: jobs end and GPUs change, so that not all that may be learned pays.
     */
    private static final double CAUTION = 0.5;

    private static final int NEIGHBOURS_A_PAIR = 20;
    /** Seconds: no run takes longer, and there is room to compute with it. */
    private static final double FOR_EVER = 1e100;

    private final RandomGenerator random;
    private final RunTimes runTimes;
    private final Neighbours neighbours;

    /** @param retention the most pairs of job and GPU to remember */
    public Bayes(RandomGenerator random, int retention) {
        this.random = random;
        this.runTimes = new RunTimes(retention);
        this.neighbours = new Neighbours(NEIGHBOURS_A_PAIR * retention);
    }

    @Override
    public String name() {
        return "bayes";
    }

    /** @param expected seconds, neighbours included */
    private record Candidate(String gpu, double expected, Terms terms) {}

    @Override
    public Advice advise(Question question) {
        List<Candidate> candidates = new ArrayList<>();
        for (String gpu : question.candidates()) candidates.add(candidate(question, gpu));
        runTimes.decided(question.jobType());
        var chosen = candidates.getFirst();
        var best = chosen;
        var worst = chosen;
        for (var each : candidates) {
            if (each.terms().cost() < chosen.terms().cost()) chosen = each;
            if (each.expected() < best.expected()) best = each;
            if (each.expected() > worst.expected()) worst = each;
        }
        double range = worst.expected() - best.expected();
        double priority = range == 0 ? NO_DIFFERENCE : 100 * (worst.expected() - chosen.expected()) / range;
        return new Advice(chosen.gpu(), priority, avoid(question), chosen.terms(), chosen.expected() > best.expected());
    }

    @Override
    public List<Belief> beliefs() {
        return runTimes.seen().stream()
                .sorted(Pair.BY_NAME)
                .map(pair -> {
                    var posterior = runTimes.posterior(pair);
                    return new Belief(
                            pair.jobType(),
                            pair.gpuType(),
                            runTimes.count(pair),
                            Math.exp(posterior.mean()),
                            Math.sqrt(posterior.noise() * (1 + 1 / posterior.runs())),
                            true);
                })
                .toList();
    }

    private Candidate candidate(Question question, String gpu) {
        var pair = new Pair(question.jobType(), gpu);
        var posterior = runTimes.posterior(pair);
        var beside = neighbours.together(pair, question.colocated());
        double alone = Math.exp(posterior.mean() + posterior.noise() / 2);
        double unsure = posterior.noise() * (1 + 1 / posterior.runs()) + beside.variance();
        double drawn = posterior.mean()
                + CAUTION * posterior.scale() * Draw.studentT(random, posterior.degrees())
                + beside.mean()
                + posterior.noise() / 2;
        double expected = alone * Math.exp(beside.mean());
        return new Candidate(
                gpu,
                finite(expected),
                new Terms(
                        finite(alone),
                        finite(expected * Math.sqrt(Math.expm1(unsure))),
                        0.5 * Math.log1p(1 / posterior.runs()),
                        finite(Math.expm1(beside.mean())),
                        finite(Math.exp(drawn))));
    }

    /** Runs that have nothing in common make a logarithm so unsure that its exponential is beyond all numbers. */
    private static double finite(double value) {
        return value < FOR_EVER ? value : FOR_EVER;
    }

    private List<String> avoid(Question question) {
        return question.colocated().stream()
                .filter(other ->
                        neighbours.everywhere(question.jobType(), other).mean() > DISTURBING)
                .toList();
    }

    @Override
    public void observe(Observation observation) {
        var pair = new Pair(observation.jobType(), observation.gpuType());
        double value = Math.log(observation.seconds());
        var posterior = runTimes.posterior(pair);
        var beside = neighbours.together(pair, observation.colocated());
        // Before a pair has been seen once, all that surprises is its own.
        if (posterior.runs() >= 1) {
            double beyond = value - posterior.mean() - beside.mean();
            double variance = posterior.noise() * (1 + 1 / posterior.runs());
            neighbours.observe(pair, observation.colocated(), beyond, variance);
        }
        runTimes.observe(
                pair, value - neighbours.together(pair, observation.colocated()).mean());
    }
}
