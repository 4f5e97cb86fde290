package dev.berth.assigner.reservation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often all reservations are looked at.
 *
 * @param jitter by which part of it the interval is longer or shorter, by chance
 */
public record Rhythm(Duration interval, double jitter, RandomGenerator random) {
    static final Duration UNTIL_CAUGHT_UP = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofDays(1);

    public Rhythm {
        if (interval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the interval must be at least a millisecond, not " + interval);
        }
        if (interval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the interval must be at most a day, not " + interval);
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("the jitter must be from 0 up to less than 1, not " + jitter);
        }
    }

    /** How long until the next pass. */
    Duration next() {
        long millis = interval.toMillis();
        long spread = (long) Math.floor(millis * jitter);
        return Duration.ofMillis(millis - spread + random.nextLong(2 * spread + 1));
    }

    /** A renewal that is younger than this is left alone: another replica has just made it. */
    Duration renewEvery() {
        return interval.dividedBy(2);
    }
}
