package dev.berth.e2e.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, for a bounded time. */
public final class Await {
    private Await() {}

    /** @param told what to say when the time is over */
    public static void until(Duration limit, BooleanSupplier condition, Supplier<String> told) {
        until(limit, Duration.ofMillis(20), condition, told);
    }

    /** @param every how long to wait between two looks: longer where a look costs the server something */
    public static void until(Duration limit, Duration every, BooleanSupplier condition, Supplier<String> told) {
        var deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("after " + limit + ": " + told.get());
            LockSupport.parkNanos(every.toNanos());
        }
    }
}
