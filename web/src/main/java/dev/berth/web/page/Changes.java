package dev.berth.web.page;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts changes, and lets others wait for the next. */
public final class Changes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long version;

    /** Something may look different now. */
    public void touch() {
        lock.lock();
        try {
            version++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many there were; waits for another number than the one given, but no longer than this. */
    public long awaitOther(long known, Duration within) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = within.toNanos();
            while (version == known && left > 0) {
                left = changed.awaitNanos(left);
            }
            return version;
        } finally {
            lock.unlock();
        }
    }
}
