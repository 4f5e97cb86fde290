package dev.berth.extender.board;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.card.WrittenName;
import dev.berth.core.policy.Pack;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Held;
import dev.berth.core.share.Slice;
import dev.berth.extender.wire.Assignment;
import dev.berth.extender.wire.GpuPod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lines of the ledger about GPUs that are given out in parts: written from decisions and pods, read as a node. */
public final class GpuEntries {
    private static final int MOST_DIGITS = 4;

    private GpuEntries() {}

    public static Holder holder(GpuPod pod) {
        return pod.uid().isEmpty()
                ? Holder.reservation(Door.EXTENDER, pod.namespace(), pod.name(), pod.id())
                : Holder.pod(Door.EXTENDER, pod.namespace(), pod.name(), pod.uid());
    }

    /** What a decision takes. */
    public static List<Entry> of(GpuPod pod, Map<Integer, Held> held, Entry.State state) {
        var entries = new ArrayList<Entry>();
        held.forEach((device, share) ->
                entries.add(new Entry(new DeviceId(Integer.toString(device)), holder(pod), share(share), state)));
        return entries;
    }

    /** What a pod holds by its own word; a container that does not say holds devices that nobody knows. */
    public static List<Entry> of(GpuPod pod, Entry.State state) {
        var known = new TreeMap<Integer, Held>();
        var sidecars = new TreeMap<Integer, Held>();
        var entries = new ArrayList<Entry>();
        var given = Assignment.given(pod);
        for (var each : given) {
            if (each.preparing()) {
                continue;
            }
            if (each.devices().isEmpty()) {
                var device = WrittenName.unsaid(each.container());
                entries.add(new Entry(device, holder(pod), amounts(each.asked().slice()), state));
                continue;
            }
            charge(known, each);
            if (each.asked().sidecar()) {
                charge(sidecars, each);
            }
        }
        given.stream().filter(Assignment.Given::preparing).forEach(each -> {
            var early = new TreeMap<>(sidecars);
            charge(early, each);
            early.forEach((device, share) -> known.merge(device, share, Held::max));
        });
        entries.addAll(of(pod, known, state));
        return entries;
    }

    private static void charge(Map<Integer, Held> held, Assignment.Given given) {
        var slice = given.asked().slice();
        var share = slice.exclusive() ? Held.WHOLE : Held.part(slice);
        given.devices().orElse(List.of()).forEach(device -> held.merge(device, share, Held::plus));
    }

    private static Share share(Held held) {
        return held.whole() ? Share.WHOLE : amounts(new Slice(held.cores(), held.memory()));
    }

    private static Share amounts(Slice slice) {
        return new Share.Part(Map.of(
                Pack.CORES, Quantity.of(slice.cores()),
                Pack.MEMORY, Quantity.of(slice.memory())));
    }

    /** What is left of a node on which all this is held. */
    public static GpuNode node(NodeName name, GpuCapacity capacity, Collection<Entry> entries) {
        var node = GpuNode.empty(name, capacity);
        var somewhere = new ArrayList<Slice>();
        for (var entry : entries) {
            var device = index(entry.device());
            if (device.isPresent() && device.getAsInt() < node.devices()) {
                node = node.charged(device.getAsInt(), held(entry.share()));
            } else if (unknown(entry)) {
                var held = held(entry.share());
                somewhere.add(new Slice(held.cores(), held.memory()));
            }
        }
        for (var slice : somewhere) {
            node = node.chargedSomewhere(slice);
        }
        return node;
    }

    /** The cores that an entry counts for in a quota. */
    public static long cores(Entry entry) {
        return held(entry.share()).cores();
    }

    public static boolean unknown(Entry entry) {
        return WrittenName.isUnsaid(entry.device());
    }

    private static Held held(Share share) {
        return switch (share) {
            case Share.Whole _ -> Held.WHOLE;
            case Share.Part(var amounts) ->
                new Held(false, amount(amounts.get(Pack.CORES)), amount(amounts.get(Pack.MEMORY)));
        };
    }

    private static long amount(@Nullable Quantity quantity) {
        return quantity == null ? 0 : Math.max(0, quantity.value().longValue());
    }

    private static OptionalInt index(DeviceId device) {
        var text = device.value();
        if (text.length() > MOST_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(text));
    }
}
