package dev.berth.simulator;

import java.util.List;

/**
 * What came of a replay.
 *
 * @param waits how many seconds each pod waited that found room, shortest first
 * @param never pods that found no room even when all others were gone
 * @param longestQueue the most pods that waited at one time
 * @param seconds from the first arrival to the last end
 * @param allocated the part of all GPUs that was given out, on the mean over that time
 */
public record Timetable(
        String policy, long seed, List<Double> waits, int never, int longestQueue, double seconds, double allocated) {
    public Timetable {
        waits = waits.stream().sorted().toList();
    }

    /** How many waited at all. */
    public long waited() {
        return waits.stream().filter(wait -> wait > 0).count();
    }

    public double meanWait() {
        return waits.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** The wait that this part of all pods did not exceed. */
    public double waitOf(double part) {
        return waits.isEmpty() ? 0 : waits.get((int) Math.min(waits.size() - 1, Math.floor(part * waits.size())));
    }
}
