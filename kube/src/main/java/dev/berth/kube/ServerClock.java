package dev.berth.kube;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API server's time. One replica writes down when its promise ends and another reads it, so both must mean the same
 * clock, and that is the one they share: the {@code Date} of the server's answers, counted on from there by a clock
 * that nobody can set. A machine whose own clock is wrong, or is set while we run, gives nothing away and keeps nothing
 * for longer than its time.
 */
final class ServerClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** A {@code Date} is of whole seconds and takes a while to arrive. Two of this are less than a ledger's grace. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    /** One of several API servers may be wrong: it takes this many answers in a row to be believed. */
    private static final int CONTRADICTIONS = 3;

    private static final Duration WORTH_A_WORD = Duration.ofSeconds(5);

    private final InstantSource own;
    private final LongSupplier nanos;
    private volatile @Nullable Anchor anchor;
    private volatile String last = "";
    private int contradictions;

    private record Anchor(Instant time, long nanos) {}

    ServerClock(InstantSource own, LongSupplier nanos) {
        this.own = own;
        this.nanos = nanos;
    }

    /** As the server has it; by our own clock as long as it has not said anything. */
    @Override
    public Instant instant() {
        var known = anchor;
        return known == null ? own.instant() : known.time().plusNanos(nanos.getAsLong() - known.nanos());
    }

    /** The {@code Date} of an answer; one that is none, or that was heard just before, is passed over. */
    void heard(String date) {
        if (date.equals(last)) {
            return;
        }
        last = date;
        try {
            var second = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
            heard(second.plusMillis(500), nanos.getAsLong());
        } catch (DateTimeException noDate) {
            LOG.debug("the API server's date is none: {}", date);
        }
    }

    private synchronized void heard(Instant said, long at) {
        boolean first = anchor == null;
        var off = Duration.between(said, instant());
        if (!first && off.abs().compareTo(TOLERANCE) <= 0) {
            contradictions = 0;
            return;
        }
        if (!first && ++contradictions < CONTRADICTIONS) {
            return;
        }
        if (off.abs().compareTo(WORTH_A_WORD) > 0) {
            LOG.warn(
                    "{} differs from the API server's, which counts from now on: ahead={} seconds",
                    first ? "this machine's clock" : "the time as we counted it",
                    off.toSeconds());
        }
        contradictions = 0;
        anchor = new Anchor(said, at);
    }
}
