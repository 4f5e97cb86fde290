package dev.berth.advisor.store;

import dev.berth.advisor.model.Ema.Estimate;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.util.List;
import java.util.Map;

/**
 * All that a store holds.
 *
 * @param estimates what the moving averages were when they were last written, the oldest first
 * @param slowdowns by job and neighbour
 * @param observations the last ones, in the order in which they were made
 */
public record Known(Map<Pair, Estimate> estimates, Map<Pair, Double> slowdowns, List<Observation> observations) {}
