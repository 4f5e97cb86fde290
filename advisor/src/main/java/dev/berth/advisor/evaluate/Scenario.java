package dev.berth.advisor.evaluate;

import java.util.List;

/**
 * The parameters of a made workload. All spreads are standard deviations of natural logarithms: 0.7 is a factor of two.
 *
 * @param jobs how many jobs arrive
 * @param jobTypes how many types of job there are; how often each comes falls with its rank (Zipf)
 * @param gpuTypes how many types of GPU there are; at each arrival some of them are free, at least two
 * @param jobSpread how much the types of job differ in length
 * @param gpuSpread how much the types of GPU differ in speed, for every job alike
 * @param affinitySpread how much a GPU suits one type of job better than its speed says
 * @param noise how much two runs of the same job on the same GPU differ
 * @param neighbours the most jobs that run beside a new one
 * @param interference how much a sensitive job suffers from a neighbour, at most, as a share of its run time
 * @param regimes into how many parts the time falls; with each change a part of the truth is drawn anew
 * @param redrawn the share of (job type, GPU type) pairs that a change draws anew
 * @param reversed whether a change also turns the GPUs' speeds around: the fastest becomes the slowest
 */
public record Scenario(
        String name,
        String meaning,
        int jobs,
        int jobTypes,
        int gpuTypes,
        double jobSpread,
        double gpuSpread,
        double affinitySpread,
        double noise,
        int neighbours,
        double interference,
        int regimes,
        double redrawn,
        boolean reversed) {

    /** The middle of a job's length: half an hour. */
    static final double MIDDLE_SECONDS = 1800;

    private static final Scenario TYPICAL = new Scenario(
            "typical",
            "many job types, GPUs that differ, neighbours that disturb, a change half-way",
            2000,
            30,
            5,
            1.0,
            0.4,
            0.3,
            0.2,
            2,
            0.5,
            2,
            0.3,
            false);

    /** What models are compared on: the first one decides, the others show where learning gains little, or loses. */
    public static List<Scenario> all() {
        return List.of(
                TYPICAL,
                TYPICAL.called("calm", "as typical, without neighbours and without a change", 0, 0, 1),
                new Scenario(
                        "strangers",
                        "every job type comes about twice: there is hardly anything to learn from",
                        400,
                        300,
                        5,
                        1.0,
                        0.1,
                        0.5,
                        0.3,
                        2,
                        0.5,
                        1,
                        0,
                        false),
                new Scenario(
                        "alike",
                        "all GPUs are equally good and runs differ by a factor of five: what seems better is chance",
                        1000,
                        30,
                        5,
                        1.0,
                        0,
                        0,
                        1.6,
                        0,
                        0,
                        1,
                        0,
                        false),
                new Scenario(
                        "treacherous",
                        "every 25 jobs the fastest GPU becomes the slowest: what was learned is wrong",
                        1000,
                        5,
                        4,
                        0.5,
                        0.6,
                        0.1,
                        0.2,
                        0,
                        0,
                        40,
                        0,
                        true));
    }

    private Scenario called(String other, String meant, int mostNeighbours, double mostInterference, int parts) {
        return new Scenario(
                other,
                meant,
                jobs,
                jobTypes,
                gpuTypes,
                jobSpread,
                gpuSpread,
                affinitySpread,
                noise,
                mostNeighbours,
                mostInterference,
                parts,
                redrawn,
                reversed);
    }
}
