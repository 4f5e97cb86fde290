package dev.berth.simulator;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What came of each policy, seed by seed.
 *
 * @param outcomes by policy as asked for, each in the order of the seeds
 */
public record Comparison(Trace trace, Simulation.Settings settings, Map<String, List<Outcome>> outcomes) {
    public Comparison {
        var copy = new LinkedHashMap<String, List<Outcome>>();
        outcomes.forEach((policy, runs) -> copy.put(policy, List.copyOf(runs)));
        outcomes = Collections.unmodifiableMap(copy);
    }

    /** The mean over all seeds. */
    public double mean(String policy, ToDoubleFunction<Outcome> figure) {
        return of(policy).stream().mapToDouble(figure).average().orElseThrow();
    }

    public double least(String policy, ToDoubleFunction<Outcome> figure) {
        return of(policy).stream().mapToDouble(figure).min().orElseThrow();
    }

    public double most(String policy, ToDoubleFunction<Outcome> figure) {
        return of(policy).stream().mapToDouble(figure).max().orElseThrow();
    }

    public List<Outcome> of(String policy) {
        return outcomes.getOrDefault(policy, List.of());
    }

    /** The waiting pods by reason, the mean over all seeds. */
    public Map<Why, Double> reasons(String policy) {
        var sums = new EnumMap<Why, Double>(Why.class);
        for (var outcome : of(policy)) {
            outcome.reasons()
                    .forEach((why, pods) ->
                            sums.merge(why, pods.doubleValue() / of(policy).size(), Double::sum));
        }
        return sums;
    }
}
