package dev.berth.apiserver.store;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
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

    /** The store whose changes are kept. */
    interface Owner {
        /** Everything up to the revision is on disk. */
        void reached(long revision);

        /** The store at this moment. */
        Frozen freeze();

        /**
         * Takes back every change that is not on disk.
         *
         * @param atomically told the newest revision that was given to one of them, before another change happens
         */
        void undo(LongConsumer atomically);
    }

    /** Begins to take changes. */
    void start(long revision, Owner owner) throws IOException;

    /** Queues one change; called in the order of revisions and must not block. */
    void append(long revision, String table, String key, @Nullable Stored value);

    /**
     * Waits until the revision is on disk.
     *
     * @throws NotKeptException when it never will be
     */
    void await(long revision);

    /** Why nothing can be written at the moment. */
    Optional<String> trouble();

    @Override
    void close();
}
