package dev.berth.apiserver.store;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Reads one table's changes in order, at its own pace. It holds nothing: who is too slow finds the history gone. */
public final class Cursor {
    private final Store store;
    private final Table table;
    private long next;

    Cursor(Store store, Table table, long next) {
        this.store = store;
        this.table = table;
        this.next = next;
    }

    /** The next change; empty when none came in time. */
    public Optional<Change> next(Duration patience) throws ExpiredException, InterruptedException {
        if (!arrived()) table.await(this::arrived, patience.toNanos());
        return poll();
    }

    /**
     * The same, for one who may be told to go while he waits.
     *
     * @param leaving looked at again whenever {@link Store#wake} is called
     */
    public Optional<Change> next(Duration patience, BooleanSupplier leaving)
            throws ExpiredException, InterruptedException {
        if (!arrived()) table.await(() -> arrived() || leaving.getAsBoolean(), patience.toNanos());
        return poll();
    }

    /** The next change if it is there already. */
    public Optional<Change> poll() throws ExpiredException {
        if (next >= table.history().head()) return Optional.empty();
        Change change = table.history().at(next);
        if (change == null) throw new ExpiredException(table.history().compacted());
        if (change.revision() > store.durable()) return Optional.empty();
        next++;
        return Optional.of(change);
    }

    /** The revision that a bookmark may name: everything up to it was read; 0 when more is waiting to be read. */
    public long bookmark() {
        return store.upToDate(table, next);
    }

    private boolean arrived() {
        if (next >= table.history().head()) return false;
        Change change = table.history().at(next);
        return change == null || change.revision() <= store.durable();
    }
}
