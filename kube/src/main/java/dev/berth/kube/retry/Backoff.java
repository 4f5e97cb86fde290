package dev.berth.kube.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the next attempt: doubling from first to longest, half of it by chance. */
public record Backoff(Duration first, Duration longest) {
    public static final Backoff STANDARD = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(5));

    private static final int MOST_DOUBLINGS = 30;

    public Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("back-off from %s to %s makes no sense".formatted(first, longest));
        }
    }

    /** The wait after this many failed attempts; between half and all of the doubled time. */
    public Duration after(int failures, RandomGenerator random) {
        long full =
                Math.min(longest.toNanos(), saturated(first.toNanos(), Math.clamp(failures - 1L, 0, MOST_DOUBLINGS)));
        return Duration.ofNanos(full / 2 + random.nextLong(full / 2 + 1));
    }

    private static long saturated(long nanos, int doublings) {
        return nanos > (Long.MAX_VALUE >> doublings) ? Long.MAX_VALUE : nanos << doublings;
    }
}
