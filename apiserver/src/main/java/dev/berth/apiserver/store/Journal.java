package dev.berth.apiserver.store;

import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Where a store's changes are kept on disk. */
interface Journal extends AutoCloseable {
    /** Takes what was kept, in order; a null value is a deletion. */
    interface Replay {
        void apply(String table, String key, @Nullable Stored value);
    }

    /** The whole store at one revision. */
    record Frozen(long revision, Map<String, SortedTree> trees) {}

    /** Reads what is kept; returns its revision, or 0 when nothing is. */
    long recover(Replay replay) throws IOException;

    /**
     * Begins to take changes.
     *
     * @param reached told the revision up to which everything is on disk
     * @param freeze runs a piece of code while no change happens and returns the store at that moment
     */
    void start(long revision, LongConsumer reached, Function<Runnable, Frozen> freeze) throws IOException;

    /** Queues one change; called in the order of revisions and must not block. */
    void append(long revision, String table, String key, @Nullable Stored value);

    /** Waits until the revision is on disk. */
    void await(long revision);

    @Override
    void close();
}
