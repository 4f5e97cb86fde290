package dev.berth.kube.proto;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** {@code Time} and {@code MicroTime}: seconds and nanoseconds here, words in JSON, and a zero is nothing in both. */
final class Times {
    /** Kubernetes has no times outside of these years: RFC 3339 has none. */
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();

    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final int NANOS_OF_A_SECOND = 1_000_000_000;
    private static final int NANOS_OF_A_MICRO = 1000;

    private Times() {}

    static @Nullable String time(Fields in) throws MalformedMessageException {
        var instant = instant(in, NANOS_OF_A_SECOND);
        return instant == null ? null : instant.toString();
    }

    static @Nullable ZonedDateTime microTime(Fields in) throws MalformedMessageException {
        var instant = instant(in, NANOS_OF_A_MICRO);
        return instant == null ? null : instant.atZone(ZoneOffset.UTC);
    }

    /** @param grain which nanoseconds JSON would not say */
    private static @Nullable Instant instant(Fields in, int grain) throws MalformedMessageException {
        int outer = in.enter();
        boolean zero = in.atEnd();
        long seconds = 0;
        int nanos = 0;
        for (int number = in.next(); number > 0; number = in.next()) {
            switch (number) {
                case 1 -> seconds = in.number();
                case 2 -> nanos = in.integer();
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (seconds < FIRST || seconds > LAST || nanos < 0 || nanos >= NANOS_OF_A_SECOND) {
            throw new MalformedMessageException("no time is %d s and %d ns".formatted(seconds, nanos));
        }
        return zero ? null : Instant.ofEpochSecond(seconds, nanos - nanos % grain);
    }
}
