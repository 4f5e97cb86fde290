package dev.berth.advisor.store;

import dev.berth.advisor.model.Ema.Changes;
import dev.berth.advisor.model.Ema.Estimate;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.util.List;
import java.util.Map;

/** Where what was learned is kept. One caller at a time. */
public interface Store extends AutoCloseable {
    /** What the moving averages were when they were last written, the oldest first. */
    Map<Pair, Estimate> estimates();

    /** By job and neighbour, the oldest first. */
    Map<Pair, Double> slowdowns();

    /** The last observations, in the order in which they were made. */
    List<Observation> observations();

    /**
     * Keeps an observation and what follows from it, all or nothing; when this returns, a crash loses none of it.
     *
     * @param seconds since the epoch, at which it was made
     * @throws StoreException if it cannot be written
     */
    void write(Observation observation, Changes changes, double seconds);

    /** @throws StoreException if nothing could be written at the moment */
    void check();

    @Override
    void close();
}
