package dev.berth.kube.retry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** What the server last said about when to come back. It speaks to the whole process, so all callers hold back. */
public final class Throttle {
    private static final long LONGEST_SECONDS = 60;

    private final InstantSource clock;
    private final AtomicReference<Instant> notBefore = new AtomicReference<>(Instant.MIN);

    public Throttle(InstantSource clock) {
        this.clock = clock;
    }

    /** A {@code Retry-After} in seconds; a date, which Kubernetes never sends, is passed over. */
    public void heard(String retryAfter) {
        try {
            long seconds = Math.clamp(Long.parseLong(retryAfter.strip()), 0, LONGEST_SECONDS);
            var until = clock.instant().plusSeconds(seconds);
            notBefore.accumulateAndGet(until, (a, b) -> a.isAfter(b) ? a : b);
        } catch (NumberFormatException notSeconds) {
            // Without a number the back-off alone decides.
        }
    }

    public Duration remaining() {
        var now = clock.instant();
        var until = notBefore.get();
        return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    }
}
