package dev.berth.advisor.model;

import dev.berth.advisor.model.Advice.Terms;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Moving averages of run times with a bonus for what is unknown: the published program's formulas, evaluated in its
 * order, so that its examples come out to the last digit.
 */
public final class Ema implements Model {
    private static final double RATE = 0.1;
    private static final double PRIOR_MEAN = 10;
    private static final double PRIOR_VARIANCE = 25;
    private static final double FIRST_VARIANCE = 1;
    private static final double LEAST_VARIANCE = 0.01;
    /** A choice that is less sure than this explores. */
    private static final double KNOWN_VARIANCE = 1;

    private static final double DISTURBING = 0.1;
    private static final double NO_DIFFERENCE = 50;
    /** Of neighbours there may be more than of GPUs. */
    private static final int SLOWDOWNS_A_PAIR = 10;

    private static final Estimate PRIOR = new Estimate(PRIOR_MEAN, PRIOR_VARIANCE, 0);

    private final EmaSettings settings;
    /** The pair that was observed longest ago comes first. */
    private final Map<Pair, Estimate> estimates = new LinkedHashMap<>();

    private final Map<Pair, Double> slowdowns = new LinkedHashMap<>();
    private long decisions;
    private long explorations;

    /** What is known of a pair's run time. */
    public record Estimate(double mean, double variance, long count) {
        private static Estimate first(double seconds) {
            return new Estimate(seconds, FIRST_VARIANCE, 1);
        }

        private Estimate with(double seconds) {
            double distance = seconds - mean;
            return new Estimate(
                    (1 - RATE) * mean + RATE * seconds,
                    Math.max(LEAST_VARIANCE, (1 - RATE) * variance + RATE * (distance * distance)),
                    count + 1);
        }
    }

    public Ema(EmaSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "ema";
    }

    @Override
    public Advice advise(Question question) {
        double penalty = penalty(question);
        var terms = new Terms[question.candidates().size()];
        for (int i = 0; i < terms.length; i++) {
            terms[i] = terms(question.jobType(), question.candidates().get(i), penalty);
        }
        int chosen = least(terms, Terms::cost);
        decisions++;
        boolean capped =
                isUnknown(question, chosen) && (double) (explorations + 1) / decisions > settings.explorationCap();
        if (capped) chosen = least(terms, Terms::mu);
        boolean explores = isUnknown(question, chosen);
        if (explores) explorations++;
        return new Advice(
                question.candidates().get(chosen),
                priority(terms, terms[chosen].cost()),
                avoid(question),
                terms[chosen],
                explores);
    }

    private boolean isUnknown(Question question, int candidate) {
        var pair = new Pair(question.jobType(), question.candidates().get(candidate));
        return estimate(pair).variance() > KNOWN_VARIANCE;
    }

    private Estimate estimate(Pair pair) {
        return estimates.getOrDefault(pair, PRIOR);
    }

    private Terms terms(String jobType, String gpu, double penalty) {
        var estimate = estimate(new Pair(jobType, gpu));
        double sigma = Math.sqrt(estimate.variance());
        double information = information(estimate.variance());
        double cost = estimate.mean()
                + settings.lambda() * sigma
                - settings.beta() * information
                + settings.gamma() * penalty;
        return new Terms(estimate.mean(), sigma, information, penalty, cost);
    }

    /** What a run would tell, in nats, as far as a fixed variance of runs says. */
    double information(double variance) {
        return 0.5 * Math.log(1 + variance / settings.tauSquared());
    }

    private double penalty(Question question) {
        if (!settings.interference() || question.colocated().isEmpty()) return 0;
        double sum = 0;
        for (String other : question.colocated()) sum += slowdown(question.jobType(), other);
        return sum / question.colocated().size();
    }

    private double slowdown(String jobType, String other) {
        return slowdowns.getOrDefault(new Pair(jobType, other), 0.0);
    }

    private List<String> avoid(Question question) {
        if (!settings.interference() || question.colocated().isEmpty()) return List.of();
        return question.colocated().stream()
                .filter(other -> slowdown(question.jobType(), other) > DISTURBING)
                .toList();
    }

    private static int least(Terms[] terms, ToDoubleFunction<Terms> value) {
        int least = 0;
        for (int i = 1; i < terms.length; i++) {
            if (value.applyAsDouble(terms[i]) < value.applyAsDouble(terms[least])) least = i;
        }
        return least;
    }

    private static double priority(Terms[] terms, double cost) {
        double most = terms[0].cost();
        double least = most;
        for (var each : terms) {
            most = Math.max(most, each.cost());
            least = Math.min(least, each.cost());
        }
        if (terms.length == 1 || most == least) return NO_DIFFERENCE;
        return Math.clamp(100 * (most - cost) / (most - least), 0, 100);
    }

    /**
     * What an observation leads to.
     *
     * @param estimates those that are new or have moved
     * @param slowdowns by job and neighbour, those that have moved
     * @param forgotten pairs that give way
     * @param forgottenNeighbours jobs and neighbours that give way
     */
    public record Changes(
            Map<Pair, Estimate> estimates,
            Map<Pair, Double> slowdowns,
            List<Pair> forgotten,
            List<Pair> forgottenNeighbours) {}

    @Override
    public void observe(Observation observation) {
        take(consequences(observation));
    }

    /** What would change; nothing does yet. */
    public Changes consequences(Observation observation) {
        var pair = new Pair(observation.jobType(), observation.gpuType());
        var before = estimates.get(pair);
        var after = before == null ? Estimate.first(observation.seconds()) : before.with(observation.seconds());
        var slower = settings.interference() ? slower(observation, after.mean()) : Map.<Pair, Double>of();
        return new Changes(
                Map.of(pair, after),
                slower,
                givingWay(estimates, List.of(pair), settings.retention()),
                givingWay(slowdowns, slower.keySet(), SLOWDOWNS_A_PAIR * settings.retention()));
    }

    private Map<Pair, Double> slower(Observation observation, double base) {
        double slower = Math.max(0, (observation.seconds() - base) / base);
        Map<Pair, Double> moved = new LinkedHashMap<>();
        for (String other : observation.colocated()) {
            var pair = new Pair(observation.jobType(), other);
            double known = moved.getOrDefault(pair, slowdown(observation.jobType(), other));
            moved.put(pair, (1 - RATE) * known + RATE * slower);
        }
        return moved;
    }

    /** The oldest, as many as come in new beyond the limit. */
    private static List<Pair> givingWay(Map<Pair, ?> known, Collection<Pair> coming, int most) {
        long fresh = coming.stream().filter(pair -> !known.containsKey(pair)).count();
        return known.keySet().stream()
                .filter(pair -> !coming.contains(pair))
                .limit(Math.max(0, known.size() + fresh - most))
                .toList();
    }

    public void take(Changes changes) {
        renew(estimates, changes.estimates(), changes.forgotten());
        renew(slowdowns, changes.slowdowns(), changes.forgottenNeighbours());
    }

    private static <T> void renew(Map<Pair, T> known, Map<Pair, T> moved, List<Pair> forgotten) {
        // Taken out and put in again, what has moved is the newest.
        moved.forEach((pair, value) -> {
            known.remove(pair);
            known.put(pair, value);
        });
        forgotten.forEach(known::remove);
    }

    /** Begins again with what was known once, the oldest first. */
    public void restore(Map<Pair, Estimate> knownEstimates, Map<Pair, Double> knownSlowdowns) {
        renew(estimates, knownEstimates, givingWay(knownEstimates, List.of(), settings.retention()));
        renew(slowdowns, knownSlowdowns, List.of());
    }

    /** The mean of the standard deviations of all pairs; 0 if none is known. */
    public double averageUncertainty() {
        return estimates.values().stream()
                .mapToDouble(estimate -> Math.sqrt(estimate.variance()))
                .average()
                .orElse(0);
    }

    /** What is known of a pair; empty for one that was never observed, or long ago. */
    public Optional<Estimate> known(Pair pair) {
        return Optional.ofNullable(estimates.get(pair));
    }

    /** By how much the neighbour slows the job down, as a share of its run time. */
    public Optional<Double> knownSlowdown(String jobType, String neighbour) {
        return Optional.ofNullable(slowdowns.get(new Pair(jobType, neighbour)));
    }

    @Override
    public List<Belief> beliefs() {
        return estimates.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Pair.BY_NAME))
                .map(known -> new Belief(
                        known.getKey().jobType(),
                        known.getKey().gpuType(),
                        known.getValue().count(),
                        known.getValue().mean(),
                        Math.sqrt(known.getValue().variance()),
                        false))
                .toList();
    }

    /** The share of decisions that explored. */
    public double explorationRatio() {
        return decisions == 0 ? 0 : (double) explorations / decisions;
    }
}
