package dev.berth.e2e.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, for a bounded time. */
public final class Await {
    private Await() {}

    /** @param told what to say when the time is over */
    public static void until(Duration limit, BooleanSupplier condition, Supplier<String> told) {
        var deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("after " + limit + ": " + told.get());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
