package dev.berth.kube.ledger;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** How a node's holdings change by what the cluster shows of one door. Pure, so that it can be a decision. */
final class Reconciliation {
    /** An assumed entry is kept this much longer, for clocks that differ and watches that are late. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private Reconciliation() {}

    /** The entries that may have to go, and about which the API server must be asked first. */
    static List<Entry> doubtful(
            Holdings holdings, Door door, Collection<Entry> shown, Predicate<Entry> ended, Instant now) {
        return holdings.entries()
                .filter(entry -> entry.holder().door() == door)
                .filter(entry -> !entry.assumed() || entry.expiredAt(now.minus(GRACE)) || ended.test(entry))
                .filter(entry -> shown.stream().noneMatch(entry::sameHolding))
                .toList();
    }

    /** Confirms what is shown, adds what is shown and not written yet, drops what is gone; leaves all else alone. */
    static Holdings apply(Holdings holdings, Collection<Entry> shown, Collection<Entry> gone) {
        // Whoever was renewed or confirmed since the look is another entry now, and stays.
        var after = holdings.without(entry -> gone.contains(entry));
        for (var entry : shown) {
            if (after.of(entry.device()).stream().noneMatch(there -> there.equals(entry) || outdates(there, entry))) {
                after = after.recording(entry);
            }
        }
        return after;
    }

    /**
     * Whether the ledger knows more of this holding than a cache that is late: its holder was decided on again, or has
     * been confirmed since. An older decision in its place would be taken back by whoever made it, and with it the
     * holding.
     */
    private static boolean outdates(Entry there, Entry shown) {
        return there.sameHolding(shown)
                && shown.state() instanceof Entry.State.Assumed(var older)
                && switch (there.state()) {
                    case Entry.State.Confirmed _ -> true;
                    case Entry.State.Assumed(var expires) -> expires.isAfter(older);
                };
    }
}
