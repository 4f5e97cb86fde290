package dev.berth.kube.explain;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.card.CardNames;
import dev.berth.core.card.Guest;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.ledger.CountedPods;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Who holds what at one moment: each device under the name that its holder's door has for it, or all of them under one
 * door's. For one thread.
 */
public final class Picture {
    private final Lookout lookout;
    private final Ledger ledger;
    private final Predicate<Guest> counted;
    private final Map<Door, Ledger> views = new EnumMap<>(Door.class);

    private Picture(Lookout lookout, Ledger ledger, Predicate<Guest> counted) {
        this.lookout = lookout;
        this.ledger = ledger;
        this.counted = counted;
    }

    /** What the ledgers say, and what the doors' own records show beside. */
    static Picture of(Lookout lookout) {
        var ledger = Ledger.EMPTY;
        var written = lookout.written();
        for (var page : written.byNode().entrySet()) {
            if (lookout.advocates().stream().noneMatch(advocate -> advocate.counts(page.getKey()))) {
                ledger = ledger.with(page.getKey(), inOwnWords(lookout, page.getKey(), page.getValue()));
            }
        }
        for (var node : lookout.nodes().all()) {
            var name = new NodeName(node.getMetadata().getName());
            var holdings = ledger.of(name);
            var all = holdings;
            for (var advocate : lookout.advocates()) {
                for (var entry : advocate.shown(name)) {
                    all = all.holds(entry) ? all : all.recording(entry);
                }
            }
            ledger = all.equals(holdings) ? ledger : ledger.with(name, all);
        }
        return new Picture(lookout, ledger, _ -> true);
    }

    /** Pods with counted GPUs are left out: they are seen where they are, and hold no device that has a name. */
    private static Holdings inOwnWords(Lookout lookout, NodeName node, Holdings written) {
        var names = new Names(lookout, node);
        return Holdings.of(written.entries()
                .filter(entry -> entry.holder().door() != Door.OUTSIDE)
                .map(entry -> entry.of(names.of(entry.holder().door()).own(entry.device())))
                .toList());
    }

    /** Each device under the name that its holder's door has for it. */
    public Ledger ledger() {
        return ledger;
    }

    /** Without what these entries hold, and without one pod with counted GPUs. */
    Picture without(Map<NodeName, List<Entry>> gone, String uid) {
        var rest = ledger;
        for (var page : gone.entrySet()) {
            rest = rest.with(page.getKey(), rest.of(page.getKey()).without(page.getValue()::contains));
        }
        return gone.isEmpty() && uid.isEmpty()
                ? this
                : new Picture(lookout, rest, guest -> !guest.holder().id().equals(uid));
    }

    /** What stands in this door's way, under its own names; for whoever only counts, under those of the ledgers. */
    Ledger as(Advocate advocate) {
        return views.computeIfAbsent(advocate.door(), _ -> seenBy(advocate));
    }

    private Ledger seenBy(Advocate advocate) {
        var view = ledger;
        for (var node : lookout.nodes().all()) {
            var name = new NodeName(node.getMetadata().getName());
            var guests = CountedPods.on(lookout.pods(), name).stream()
                    .filter(counted)
                    .toList();
            if (guests.isEmpty() && ledger.of(name).byDevice().isEmpty()) {
                continue;
            }
            var names = new Names(lookout, name);
            var written = Holdings.of(ledger.of(name)
                    .entries()
                    .map(entry -> entry.of(names.of(entry.holder().door()).written(entry.device())))
                    .toList());
            view = view.with(
                    name,
                    advocate.door() == Door.OUTSIDE
                            ? with(written, guests)
                            : names.of(advocate.door()).inward(written, guests));
        }
        return view;
    }

    private static Holdings with(Holdings written, List<Guest> guests) {
        var all = new ArrayList<>(written.entries().toList());
        Guest.unwritten(guests, written).forEach(guest -> all.addAll(guest.lines(Entry.State.CONFIRMED)));
        return Holdings.of(all);
    }

    /** The names that doors have for one node's devices, made when they are asked for. */
    private static final class Names {
        private final Lookout lookout;
        private final NodeName node;
        private final Map<Door, CardNames> known = new HashMap<>();

        Names(Lookout lookout, NodeName node) {
            this.lookout = lookout;
            this.node = node;
        }

        CardNames of(Door door) {
            return known.computeIfAbsent(
                    door,
                    _ -> lookout.advocates().stream()
                            .filter(advocate -> advocate.door() == door)
                            .findFirst()
                            .map(advocate -> new CardNames(
                                    door,
                                    advocate.devices(node),
                                    CardUuids.of(lookout.nodes(), node),
                                    advocate::maybeCard))
                            .orElseGet(() -> new CardNames(door, List.of(), List.of(), _ -> false)));
        }
    }
}
