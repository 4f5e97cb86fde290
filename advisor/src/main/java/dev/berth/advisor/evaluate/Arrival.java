package dev.berth.advisor.evaluate;

import java.util.List;
import java.util.Map;

/**
 * A job that comes, with what no model sees: how long it would take on each candidate.
 *
 * @param colocated the types of the jobs that run beside it, wherever it goes
 * @param seconds by candidate, what it would measure there; drawn beforehand, so that all models meet the same luck
 * @param expected by candidate, the mean of that
 */
public record Arrival(
        String jobType,
        List<String> candidates,
        List<String> colocated,
        Map<String, Double> seconds,
        Map<String, Double> expected) {

    double bestExpected() {
        return expected.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }
}
