package dev.berth.advisor.model;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What is known of the logarithms of run times: a Normal-Inverse-Gamma posterior for each pair of job and GPU. Its
 * prior is pooled: a job's length and a GPU's speed, each learned from all pairs that share it, add up to what a pair
 * that was never seen is expected to take.
 */
final class RunTimes {
    /** Runs that a pair remembers: older ones fade, because the world changes. */
    private static final double MEMORY = 30;
    /** What is left of a pair's runs for each decision about its job that went elsewhere. */
    private static final double FADING = 0.997;

    private static final double FIRST_NOISE = 0.05;
    private static final double FIRST_AFFINITY = 0.1;
    private static final double SPEED_VARIANCE = 0.25;
    /** How many runs the first guesses of variances are worth. */
    private static final double GUESS = 10;

    private static final double PRIOR_SHAPE = 4;
    private static final double SURPRISE = 3;

    private final int retention;
    private final Map<Pair, Runs> runs = new LinkedHashMap<>();
    private final Map<String, Set<Pair>> byJob = new HashMap<>();
    private final Map<String, Set<Pair>> byGpu = new HashMap<>();
    private final Map<String, Double> lengths = new HashMap<>();
    private final Map<String, Double> speeds = new HashMap<>();
    /**
     * How unsure each speed is; counted when something is learned, so that a question costs no more than its
     * candidates.
     */
    private final Map<String, Double> speedVariances = new HashMap<>();

    private final Map<String, Long> decisions = new HashMap<>();
    private double noise = FIRST_NOISE;
    private double affinity = FIRST_AFFINITY;

    RunTimes(int retention) {
        this.retention = retention;
    }

    /** The runs of a pair: how many count still, their mean, their squared distances from it. */
    private static final class Runs {
        private double count;
        private double mean;
        private double squares;
        private int surprises;
        private long asOf;

        private void fade(double left) {
            count *= left;
            squares *= left;
        }

        private void add(double value) {
            count++;
            double distance = value - mean;
            mean += distance / count;
            squares += distance * (value - mean);
        }
    }

    /**
     * The posterior of a pair's mean: Student's t.
     *
     * @param runs what the mean rests on, the prior included, in runs
     */
    record Posterior(double mean, double runs, double shape, double rate) {
        double scale() {
            return Math.sqrt(rate / (shape * runs));
        }

        double degrees() {
            return 2 * shape;
        }

        double noise() {
            return rate / (shape - 1);
        }
    }

    Posterior posterior(Pair pair) {
        double prior = prior(pair);
        double worth = noise / (affinity + speedVariances.getOrDefault(pair.gpuType(), SPEED_VARIANCE));
        var known = runs.get(pair);
        if (known == null) return new Posterior(prior, worth, PRIOR_SHAPE, (PRIOR_SHAPE - 1) * noise);
        double left = left(pair, known);
        double count = known.count * left;
        double distance = known.mean - prior;
        return new Posterior(
                (worth * prior + count * known.mean) / (worth + count),
                worth + count,
                PRIOR_SHAPE + count / 2,
                (PRIOR_SHAPE - 1) * noise
                        + known.squares * left / 2
                        + worth * count * distance * distance / (2 * (worth + count)));
    }

    /** The pairs of which there are runs. */
    Set<Pair> seen() {
        return Collections.unmodifiableSet(runs.keySet());
    }

    /** How many of a pair's runs count still. */
    double count(Pair pair) {
        var known = runs.get(pair);
        return known == null ? 0 : known.count * left(pair, known);
    }

    private double left(Pair pair, Runs known) {
        return left(decisions.getOrDefault(pair.jobType(), 0L) - known.asOf);
    }

    /** What is left of a pair's runs after so many decisions about its job. */
    private static double left(long decided) {
        return Math.pow(FADING, (double) decided);
    }

    private double prior(Pair pair) {
        return lengths.getOrDefault(pair.jobType(), 0.0) + speeds.getOrDefault(pair.gpuType(), 0.0);
    }

    private double speedVariance(Set<Pair> pairs) {
        double weights = 1 / SPEED_VARIANCE;
        for (Pair pair : pairs) weights += weight(pair);
        return 1 / weights;
    }

    private double weight(Pair pair) {
        var known = runs.get(pair);
        return known == null || known.count == 0 ? 0 : 1 / (affinity + noise / known.count);
    }

    /** A decision about this job was made: what is known of it becomes older. Of strangers nothing is kept. */
    void decided(String jobType) {
        if (byJob.containsKey(jobType)) decisions.merge(jobType, 1L, Long::sum);
    }

    /** @param value the logarithm of the run time, without what neighbours made of it */
    void observe(Pair pair, double value) {
        var before = posterior(pair);
        var known = runs.remove(pair);
        if (known == null) {
            known = new Runs();
            byJob.computeIfAbsent(pair.jobType(), _ -> new LinkedHashSet<>()).add(pair);
            byGpu.computeIfAbsent(pair.gpuType(), _ -> new LinkedHashSet<>()).add(pair);
        }
        runs.put(pair, known);
        long now = decisions.getOrDefault(pair.jobType(), 0L);
        known.fade(left(now - known.asOf));
        known.asOf = now;
        forgetIfSurprised(known, value, before);
        if (known.count >= MEMORY) known.fade((MEMORY - 1) / MEMORY);
        known.add(value);
        forgetOldest();
        pool(pair);
    }

    /** Two runs in a row that are far off on the same side: what was known is no longer true. */
    private static void forgetIfSurprised(Runs known, double value, Posterior before) {
        double spread = Math.sqrt(before.noise() * (1 + 1 / before.runs()));
        double off = (value - before.mean()) / spread;
        int side = Math.abs(off) > SURPRISE ? (int) Math.signum(off) : 0;
        boolean again = side != 0 && known.surprises == side;
        if (again) known.fade(Math.min(1, 1 / Math.max(known.count, 1)));
        known.surprises = again ? 0 : side;
    }

    private void forgetOldest() {
        while (runs.size() > retention) {
            var oldest = runs.keySet().iterator().next();
            runs.remove(oldest);
            leave(byJob, oldest.jobType(), oldest);
            leave(byGpu, oldest.gpuType(), oldest);
            if (!byJob.containsKey(oldest.jobType())) {
                lengths.remove(oldest.jobType());
                decisions.remove(oldest.jobType());
            }
        }
    }

    private static void leave(Map<String, Set<Pair>> index, String key, Pair pair) {
        var pairs = index.getOrDefault(key, Set.of());
        pairs.remove(pair);
        if (pairs.isEmpty()) index.remove(key);
    }

    /** Brings the job's length, the GPU's speed and the variances into line with what was just seen. */
    private void pool(Pair seen) {
        lengths.put(seen.jobType(), pooled(byJob.getOrDefault(seen.jobType(), Set.of()), 0, speeds, Pair::gpuType));
        speeds.put(
                seen.gpuType(),
                pooled(byGpu.getOrDefault(seen.gpuType(), Set.of()), 1 / SPEED_VARIANCE, lengths, Pair::jobType));
        double squares = GUESS * FIRST_NOISE;
        double degrees = GUESS;
        double distances = GUESS * FIRST_AFFINITY;
        double pairs = GUESS;
        for (var entry : runs.entrySet()) {
            var known = entry.getValue();
            squares += known.squares;
            degrees += Math.max(0, known.count - 1);
            double distance = known.mean - prior(entry.getKey());
            double share = known.count / (known.count + 1);
            distances += share * Math.max(0, distance * distance - noise / Math.max(known.count, 1));
            pairs += share;
        }
        noise = squares / degrees;
        affinity = distances / pairs;
        speedVariances.clear();
        byGpu.forEach((gpu, known) -> speedVariances.put(gpu, speedVariance(known)));
    }

    private double pooled(
            Set<Pair> pairs, double priorWeight, Map<String, Double> others, Function<Pair, String> other) {
        double sum = 0;
        double weights = priorWeight;
        for (Pair pair : pairs) {
            var known = runs.get(pair);
            if (known == null) continue;
            double weight = weight(pair);
            sum += weight * (known.mean - others.getOrDefault(other.apply(pair), 0.0));
            weights += weight;
        }
        return weights == 0 ? 0 : sum / weights;
    }
}
