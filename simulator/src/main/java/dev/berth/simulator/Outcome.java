package dev.berth.simulator;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of one run.
 *
 * @param allocated the part of all GPUs that is given out at the end
 * @param gpus how many that are
 * @param looks how it was on the way
 * @param reasons why so many pods were left waiting, each as it was when the pod came
 * @param moved what moving pods did in the end, where that was allowed
 */
public record Outcome(
        String policy,
        long seed,
        double allocated,
        double gpus,
        int placed,
        int waiting,
        List<Look> looks,
        Map<Why, Integer> reasons,
        HeatMap heat,
        Optional<Moved> moved) {
    public Outcome {
        looks = List.copyOf(looks);
        var sorted = new EnumMap<Why, Integer>(Why.class);
        sorted.putAll(reasons);
        reasons = Collections.unmodifiableMap(sorted);
    }

    /**
     * Pods were moved when all had come.
     *
     * @param moves how many
     * @param pods so many that waited found room
     * @param before the part of all GPUs that was given out until then
     * @param atMost what no moving of these pods could exceed
     */
    public record Moved(int moves, int pods, double before, double atMost) {}

    /**
     * One moment.
     *
     * @param asked for by all that came so far, as a part of all GPUs
     * @param allocated the part that is given out
     * @param fragmented the part that is free and of no use to typical pods
     * @param waiting pods for which there was no room
     */
    public record Look(double asked, double allocated, double fragmented, int waiting) {}
}
