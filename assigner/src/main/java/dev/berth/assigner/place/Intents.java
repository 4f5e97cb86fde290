package dev.berth.assigner.place;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What decisions of this process have chosen and not yet written. Without it a hundred pods that come at once would all
 * choose the same GPU, and ninety-nine of them a second time.
 */
final class Intents {
    private record Merged(Holdings base, Holdings intended, Holdings both) {}

    private final Supplier<Ledger> ledger;
    private final Map<NodeName, Holdings> intended = new HashMap<>();
    private final Map<NodeName, Merged> merged = new HashMap<>();

    Intents(Supplier<Ledger> ledger) {
        this.ledger = ledger;
    }

    /** Chooses on what is held and intended; what it chooses is intended from then on. */
    synchronized <T> T choose(Function<Ledger, T> choice, Function<T, Map<NodeName, Collection<Entry>>> intents) {
        var chosen = choice.apply(together());
        intents.apply(chosen).forEach((node, entries) -> {
            for (var entry : entries) {
                intended.put(node, intended.getOrDefault(node, Holdings.EMPTY).recording(entry));
            }
        });
        return chosen;
    }

    /** This reservation's choice is written, or given up. */
    synchronized void settled(NodeName node, String reservation) {
        var left = intended.getOrDefault(node, Holdings.EMPTY).without(reservation);
        if (left.byDevice().isEmpty()) {
            intended.remove(node);
            merged.remove(node);
        } else {
            intended.put(node, left);
        }
    }

    private Ledger together() {
        var all = ledger.get();
        for (var each : intended.entrySet()) {
            all = all.with(each.getKey(), both(each.getKey(), all.of(each.getKey()), each.getValue()));
        }
        return all;
    }

    /** The same object as long as nothing changes: the engine asks again only about what is another object. */
    @SuppressWarnings("ReferenceEquality") // the same object is what is asked for, and comparing contents costs more
    private Holdings both(NodeName node, Holdings base, Holdings wanted) {
        var known = merged.get(node);
        if (known != null && known.base() == base && known.intended() == wanted) {
            return known.both();
        }
        var both = base;
        for (var entry : wanted.entries().toList()) {
            both = both.recording(entry);
        }
        merged.put(node, new Merged(base, wanted, both));
        return both;
    }
}
