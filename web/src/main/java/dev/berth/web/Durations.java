package dev.berth.web;

import java.time.Duration;

/** Durations as people say them. */
final class Durations {
    private Durations() {}

    static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
