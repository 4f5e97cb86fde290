package dev.berth.apiserver.kinds;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Durations as kubectl's users read them: two or three digits that matter. */
final class HumanDuration {
    private HumanDuration() {}

    /** The time since a timestamp, or {@code <unknown>} without one. */
    static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) return "<unknown>";
        try {
            return of(Duration.between(OffsetDateTime.parse(timestamp).toInstant(), now));
        } catch (DateTimeException _) {
            return "<invalid>";
        }
    }

    static String of(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) return "<invalid>";
        if (seconds < 0) return "0s";
        if (seconds < 120) return seconds + "s";
        long minutes = seconds / 60;
        if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
        if (minutes < 180) return minutes + "m";
        long hours = minutes / 60;
        if (hours < 8) return two(hours, "h", minutes % 60, "m");
        if (hours < 48) return hours + "h";
        if (hours < 24 * 8) return two(hours / 24, "d", hours % 24, "h");
        long days = hours / 24;
        if (days < 365 * 2) return days + "d";
        if (days < 365 * 8) return two(days / 365, "y", days % 365, "d");
        return days / 365 + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}
