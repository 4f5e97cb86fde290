package dev.berth.advisor.store;

import dev.berth.advisor.model.Observation;

/** Where what was learned is kept, perhaps by several replicas at once. One caller at a time. */
public interface Store extends AutoCloseable {
    /**
     * Tells the learner what it does not know yet: everything the first time, later what other replicas wrote.
     *
     * @throws StoreException if it cannot be read
     */
    void read(Learner learner);

    /**
     * Keeps an observation and what follows from it, all or nothing; when this returns, a crash loses none of it. The
     * learner first hears what others wrote, so that what follows rests on all of it.
     *
     * @param seconds since the epoch, at which it was made
     * @return false if its run is known already: then nothing is written
     * @throws StoreException if it cannot be written
     */
    boolean write(Observation observation, Learner learner, double seconds);

    /**
     * Writes something that means nothing.
     *
     * @throws StoreException if nothing can be written at the moment
     */
    void check();

    /** The database, as people know it; without its password. */
    String name();

    @Override
    void close();
}
