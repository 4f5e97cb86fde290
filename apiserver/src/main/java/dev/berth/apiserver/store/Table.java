package dev.berth.apiserver.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** All objects of one resource, and what happened to them lately. */
public final class Table {
    private final String name;
    private final History history;
    private final ReentrantLock bell = new ReentrantLock();
    private final Condition rung = bell.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile SortedTree tree = SortedTree.EMPTY;
    private volatile long version;

    Table(String name, History history) {
        this.name = name;
        this.history = history;
    }

    public String name() {
        return name;
    }

    public int size() {
        return tree.size();
    }

    /** Another number after every change: tells whether what was read is still current. */
    public long version() {
        return version;
    }

    SortedTree tree() {
        return tree;
    }

    /** Only one at a time may, under the store's lock. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void replace(SortedTree next) {
        tree = next;
        version++;
    }

    /** Takes back every change after the revision. */
    void undo(long revision) {
        SortedTree before = tree;
        for (Change each : history.undo(revision)) {
            before = each.before() == null ? before.remove(each.key()) : before.put(each.key(), each.before());
        }
        if (before != tree) replace(before);
    }

    History history() {
        return history;
    }

    /** Wakes those who wait for a change. */
    void ring() {
        if (waiting.get() == 0) return;
        bell.lock();
        try {
            rung.signalAll();
        } finally {
            bell.unlock();
        }
    }

    /** Waits until the condition holds, at most so long. */
    void await(BooleanSupplier arrived, long nanos) throws InterruptedException {
        bell.lock();
        try {
            waiting.incrementAndGet();
            long left = nanos;
            while (!arrived.getAsBoolean() && left > 0) left = rung.awaitNanos(left);
        } finally {
            waiting.decrementAndGet();
            bell.unlock();
        }
    }
}
