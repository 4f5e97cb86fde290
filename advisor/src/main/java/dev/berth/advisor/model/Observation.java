package dev.berth.advisor.model;

import java.util.List;
import java.util.Optional;

/**
 * How long a job took.
 *
 * @param colocated the types of the jobs that ran beside it
 * @param run the one run that this is about, such as a pod's uid: it is learned from once, however often it is told
 */
public record Observation(
        String jobType, String gpuType, double seconds, List<String> colocated, Optional<String> run) {
    /** Thirty years. Nothing runs that long, and the squares of longer times grow beyond what a double holds. */
    public static final double MOST_SECONDS = 1e9;

    public Observation {
        colocated = List.copyOf(colocated);
        if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a run time must be a positive number of seconds, not " + seconds);
        }
    }

    /** Of a run that nobody gave a name. */
    public Observation(String jobType, String gpuType, double seconds, List<String> colocated) {
        this(jobType, gpuType, seconds, colocated, Optional.empty());
    }
}
