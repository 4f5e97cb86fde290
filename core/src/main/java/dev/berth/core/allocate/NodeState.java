package dev.berth.core.allocate;

import dev.berth.core.Counter;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Shelf;
import dev.berth.core.policy.DeviceView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One node at one moment: its devices, those of the network that it reaches, and what is left of them. Whatever was
 * found out about a state stays true of it; a change makes a new one.
 */
final class NodeState {
    private final NodeName name;
    private final Shelf shelf;
    private final Holdings holdings;
    private final Network network;
    private final List<Slot> slots;
    private final Map<Counter, Quantity> counters;

    NodeState(NodeName name, Shelf shelf, Holdings holdings, Network network) {
        this.name = name;
        this.shelf = shelf;
        this.holdings = holdings;
        this.network = network;
        var all = new ArrayList<Slot>(shelf.devices().size());
        var left = new HashMap<>(shelf.counters());
        for (var device : shelf.devices()) {
            var slot = Slot.of(shelf.place(), device, holdings);
            slot.charge(left);
            all.add(slot);
        }
        network.slots().stream()
                .filter(slot -> slot.device().reach().covers(name))
                .forEach(all::add);
        if (all.size() > shelf.devices().size()) {
            all.sort(Comparator.comparing(slot -> slot.device().listing()));
        }
        left.putAll(network.counters());
        this.slots = List.copyOf(all);
        this.counters = Map.copyOf(left);
    }

    /** The same state object when nothing changed. */
    @SuppressWarnings("ReferenceEquality") // comparing devices one by one would cost more than asking anew
    NodeState with(Shelf newShelf, Holdings newHoldings, Network newNetwork) {
        return newShelf == shelf && newHoldings == holdings && newNetwork == network
                ? this
                : new NodeState(name, newShelf, newHoldings, newNetwork);
    }

    NodeName name() {
        return name;
    }

    Shelf shelf() {
        return shelf;
    }

    Holdings holdings() {
        return holdings;
    }

    Network network() {
        return network;
    }

    List<Slot> slots() {
        return slots;
    }

    /** What is left of what devices draw from together. */
    Map<Counter, Quantity> counters() {
        return counters;
    }

    List<DeviceView> views() {
        return slots.stream().map(Slot::view).toList();
    }
}
