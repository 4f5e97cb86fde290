package dev.berth.kube.ledger;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.kube.ledger.NodeLedgerSpec.HeldBy;
import dev.berth.kube.ledger.NodeLedgerSpec.HeldDevice;
import dev.berth.kube.ledger.NodeLedgerSpec.Summary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holdings written down, and read back. */
final class LedgerText {
    /** A request may have 3 MiB, but etcd takes no object over 1.5 MiB; the server's own fields need some of that. */
    static final int LARGEST = 1_500_000;

    private static final String ASSUMED = "Assumed";
    private static final String CONFIRMED = "Confirmed";
    private static final long FIELD_NAMES = 160;

    private LedgerText() {}

    static NodeLedgerSpec write(Holdings holdings, OptionalInt devices) {
        var lines = new ArrayList<HeldDevice>();
        holdings.byDevice()
                .forEach((device, entries) -> lines.add(new HeldDevice(
                        device.value(), entries.stream().map(LedgerText::line).toList())));
        int held = lines.size();
        Integer free = devices.isPresent() ? Math.max(0, devices.getAsInt() - held) : null;
        int assumed = Math.toIntExact(holdings.entries().filter(Entry::assumed).count());
        return new NodeLedgerSpec(
                new Summary(held, free, assumed, holdings.contested().size()), lines);
    }

    private static HeldBy line(Entry entry) {
        var holder = entry.holder();
        return new HeldBy(
                holder.id(),
                holder.door().label(),
                holder.namespace(),
                holder.name(),
                holder.uid().orElse(null),
                amounts(entry.share()),
                entry.assumed() ? ASSUMED : CONFIRMED,
                entry.state() instanceof Entry.State.Assumed(var expires) ? expires.toString() : null);
    }

    private static @Nullable Map<String, String> amounts(Share share) {
        return switch (share) {
            case Share.Whole _ -> null;
            case Share.Part(var amounts) -> {
                var text = new TreeMap<String, String>();
                amounts.forEach((capacity, amount) -> text.put(capacity, amount.toString()));
                yield text;
            }
        };
    }

    static Holdings read(NodeLedgerSpec spec) {
        var entries = new ArrayList<Entry>();
        for (var device : spec.devices()) {
            for (var holder : device.holders()) {
                entries.add(entry(new DeviceId(device.id()), holder));
            }
        }
        return Holdings.of(entries);
    }

    private static Entry entry(DeviceId device, HeldBy line) {
        var holder = new Holder(
                Door.ofLabel(line.door()), line.namespace(), line.name(), line.id(), Optional.ofNullable(line.uid()));
        var expires = line.expires();
        var state = line.state().equals(ASSUMED) && expires != null
                ? new Entry.State.Assumed(Instant.parse(expires))
                : Entry.State.CONFIRMED;
        return new Entry(device, holder, share(line.share()), state);
    }

    private static Share share(@Nullable Map<String, String> amounts) {
        if (amounts == null) {
            return Share.WHOLE;
        }
        var parts = new TreeMap<String, Quantity>();
        amounts.forEach((capacity, amount) -> parts.put(capacity, Quantity.parse(amount)));
        return new Share.Part(parts);
    }

    /** No less than the size of these holdings as JSON, without writing them: every decision asks. */
    static long sizeAtMost(Holdings holdings) {
        return holdings.entries().mapToLong(LedgerText::sizeAtMost).sum() + FIELD_NAMES;
    }

    private static long sizeAtMost(Entry entry) {
        var holder = entry.holder();
        long characters = FIELD_NAMES
                + entry.device().value().length()
                + holder.id().length()
                + holder.namespace().length()
                + holder.name().length()
                + holder.uid().map(String::length).orElse(0);
        if (entry.share() instanceof Share.Part(var amounts)) {
            for (var amount : amounts.entrySet()) {
                characters +=
                        amount.getKey().length() + amount.getValue().toString().length() + 6;
            }
        }
        return characters + 60;
    }

    static List<DeviceId> newlyContested(Holdings before, Holdings after) {
        var known = before.contested();
        return after.contested().stream()
                .filter(device -> !known.contains(device))
                .toList();
    }
}
