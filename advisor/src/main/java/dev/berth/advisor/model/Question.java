package dev.berth.advisor.model;

import java.util.List;

/**
 * A job that is to be placed.
 *
 * @param candidates the types of GPU it may get, in the asker's order; at least one
 * @param colocated the types of the jobs that run at the moment; one may be there more than once
 */
public record Question(String jobType, List<String> candidates, List<String> colocated) {
    public Question {
        candidates = List.copyOf(candidates);
        colocated = List.copyOf(colocated);
        if (candidates.isEmpty()) throw new IllegalArgumentException("No candidate GPU types provided");
    }
}
