package dev.berth.advisor.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * By how much neighbours lengthen a job, as logarithms: what a neighbour does to the job on any GPU, and what it does
 * more or less on one. What a run took beyond what was expected is shared out by how unsure each part was.
 */
final class Neighbours {
    private static final double EVERYWHERE = 0.03;
    private static final double HERE = 0.01;

    private final int retention;
    private final Map<Effect, Belief> beliefs = new LinkedHashMap<>();

    /** @param gpuType empty for what the neighbour does on any GPU */
    private record Effect(String jobType, String neighbour, String gpuType) {}

    /** A normal distribution. */
    record Belief(double mean, double variance) {
        private Belief plus(Belief other) {
            return new Belief(mean + other.mean, variance + other.variance);
        }
    }

    Neighbours(int retention) {
        this.retention = retention;
    }

    /** What all of them together do. */
    Belief together(Pair pair, List<String> colocated) {
        var sum = new Belief(0, 0);
        for (String neighbour : colocated) sum = sum.plus(of(pair, neighbour));
        return sum;
    }

    Belief of(Pair pair, String neighbour) {
        return everywhere(pair.jobType(), neighbour).plus(belief(here(pair, neighbour)));
    }

    Belief everywhere(String jobType, String neighbour) {
        return belief(new Effect(jobType, neighbour, ""));
    }

    private static Effect here(Pair pair, String neighbour) {
        return new Effect(pair.jobType(), neighbour, pair.gpuType());
    }

    private Belief belief(Effect effect) {
        var known = beliefs.get(effect);
        return known != null ? known : new Belief(0, effect.gpuType().isEmpty() ? EVERYWHERE : HERE);
    }

    /**
     * @param beyond the logarithm of the run time, less what was expected with these neighbours
     * @param variance of what was expected and of the run itself, without the neighbours' part
     */
    void observe(Pair pair, List<String> colocated, double beyond, double variance) {
        double all = variance + together(pair, colocated).variance();
        for (String neighbour : colocated) {
            learn(new Effect(pair.jobType(), neighbour, ""), beyond, all);
            learn(here(pair, neighbour), beyond, all);
        }
        while (beliefs.size() > retention) {
            beliefs.remove(beliefs.keySet().iterator().next());
        }
    }

    private void learn(Effect effect, double beyond, double all) {
        var before = belief(effect);
        double gain = before.variance() / all;
        beliefs.remove(effect);
        beliefs.put(effect, new Belief(before.mean() + gain * beyond, before.variance() * (1 - gain)));
    }
}
