package dev.berth.core.allocate;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Until when a search may go on. */
public final class Deadline {
    /** For questions that are known to be small. */
    public static final Deadline NONE = new Deadline(Duration.ofDays(1), () -> 0, 0);

    private final Duration allowed;
    private final LongSupplier nanos;
    private final long end;

    private Deadline(Duration allowed, LongSupplier nanos, long start) {
        this.allowed = allowed;
        this.nanos = nanos;
        this.end = start + allowed.toNanos();
    }

    public static Deadline within(Duration allowed) {
        return within(allowed, System::nanoTime);
    }

    /** A deadline by a clock of the caller's. */
    public static Deadline within(Duration allowed, LongSupplier nanos) {
        return new Deadline(allowed, nanos, nanos.getAsLong());
    }

    Duration allowed() {
        return allowed;
    }

    boolean over() {
        return nanos.getAsLong() - end >= 0;
    }

    /** A quarter of what is left: one hard node must not keep the others from being asked. */
    Deadline slice() {
        long now = nanos.getAsLong();
        return new Deadline(Duration.ofNanos(Math.max(0, (end - now) / 4)), nanos, now);
    }
}
