package dev.berth.kube.ledger;

import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Share;
import dev.berth.kube.ledger.NodeLedgerSpec.Summary;
import java.util.List;
import java.util.OptionalInt;

/** Holdings written down, and read back. */
final class LedgerText {
    /** A request may have 3 MiB, but etcd takes no object over 1.5 MiB; the server's own fields need some of that. */
    static final int LARGEST = 1_500_000;

    /**
     * What JSON and the columns without a text of their own take, at most, and how much longer an escaped text may be.
     */
    private static final long FIXED = 160;

    private static final int ESCAPED = 3;

    private LedgerText() {}

    static NodeLedgerSpec write(Holdings holdings, OptionalInt devices) {
        int held = holdings.byDevice().size();
        Integer free = devices.isPresent() ? Math.max(0, devices.getAsInt() - held) : null;
        int assumed = Math.toIntExact(holdings.entries().filter(Entry::assumed).count());
        return new NodeLedgerSpec(
                new Summary(held, free, assumed, holdings.contested().size()),
                holdings.entries().map(LedgerLine::write).toList());
    }

    static Holdings read(NodeLedgerSpec spec) {
        return Holdings.of(spec.entries());
    }

    /** No less than the size of these holdings as JSON, without writing them: every decision asks. */
    static long sizeAtMost(Holdings holdings) {
        return holdings.entries().mapToLong(LedgerText::sizeAtMost).sum() + FIXED;
    }

    private static long sizeAtMost(Entry entry) {
        var holder = entry.holder();
        long characters = (long) entry.device().value().length()
                + holder.id().length()
                + holder.namespace().length()
                + holder.name().length()
                + holder.uid().map(String::length).orElse(0);
        if (entry.share() instanceof Share.Part(var amounts)) {
            for (var amount : amounts.entrySet()) {
                characters +=
                        amount.getKey().length() + amount.getValue().toString().length() + 2;
            }
        }
        return ESCAPED * characters + FIXED;
    }

    static List<DeviceId> newlyContested(Holdings before, Holdings after) {
        var known = before.contested();
        return after.contested().stream()
                .filter(device -> !known.contains(device))
                .toList();
    }
}
