package dev.berth.advisor.model;

import java.util.List;

/**
 * How long a job took.
 *
 * @param colocated the types of the jobs that ran beside it
 */
public record Observation(String jobType, String gpuType, double seconds, List<String> colocated) {
    public Observation {
        colocated = List.copyOf(colocated);
        if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a run time must be a positive number of seconds, not " + seconds);
        }
    }
}
