package dev.berth.core.allocate;

import dev.berth.core.Counter;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.Quantity;
import dev.berth.core.Shelf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The devices on the network and what is left of them, at one moment. */
record Network(List<Shelf> shelves, List<Holdings> pages, List<Slot> slots, Map<Counter, Quantity> counters) {
    static final Network NONE = new Network(List.of(), List.of(), List.of(), Map.of());

    static Network of(Inventory inventory, Ledger ledger) {
        var shelves = inventory.network();
        if (shelves.isEmpty()) {
            return NONE;
        }
        var pages = shelves.stream().map(shelf -> ledger.of(shelf.place())).toList();
        var slots = new ArrayList<Slot>();
        var counters = new HashMap<Counter, Quantity>();
        for (int index = 0; index < shelves.size(); index++) {
            var shelf = shelves.get(index);
            counters.putAll(shelf.counters());
            for (var device : shelf.devices()) {
                var slot = Slot.of(shelf.place(), device, pages.get(index));
                slot.charge(counters); // even for a node that does not reach the device: it shares the counters
                slots.add(slot);
            }
        }
        return new Network(shelves, pages, List.copyOf(slots), counters);
    }

    boolean saysTheSameAs(Network other) {
        return shelves.equals(other.shelves) && pages.equals(other.pages);
    }
}
