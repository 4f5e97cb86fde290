package dev.berth.core.allocate;

import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** The newest state of every node, by name. */
final class Roster {
    private Inventory inventory = Inventory.EMPTY;
    private Ledger ledger = Ledger.EMPTY;
    private Network network = Network.NONE;
    private NodeState[] states = {};
    private Map<NodeName, Integer> places = Map.of();
    private int seating;

    int size() {
        return states.length;
    }

    /** Changes when nodes come or go, and with them every node's place. */
    int seating() {
        return seating;
    }

    NodeState state(int place) {
        return states[place];
    }

    void only(NodeState state) {
        states = new NodeState[] {state};
    }

    /** Takes in what changed, and touches nothing else. */
    void update(Inventory newInventory, Ledger newLedger) {
        var touched = new HashSet<NodeName>();
        boolean[] moved = {false};
        newInventory.changesSince(inventory, (node, shelf) -> {
            touched.add(node);
            moved[0] |= shelf.isPresent() != places.containsKey(node);
        });
        newLedger.changesSince(ledger, (place, holdings) -> touched.add(place));
        var newNetwork = Network.of(newInventory, newLedger);
        boolean networkChanged = !network.saysTheSameAs(newNetwork);
        inventory = newInventory;
        ledger = newLedger;
        network = networkChanged ? newNetwork : network; // what was found out with the old one stays valid
        if (moved[0]) {
            seat();
        } else if (networkChanged) {
            Arrays.setAll(states, place -> fresh(states[place].name(), states[place]));
        } else {
            touched.forEach(this::refresh);
        }
    }

    private void refresh(NodeName name) {
        var place = places.get(name);
        if (place != null) {
            states[place] = fresh(name, states[place]);
        }
    }

    private void seat() {
        var names = inventory.nodes();
        var old = states;
        var oldPlaces = places;
        var newPlaces = new HashMap<NodeName, Integer>();
        var newStates = new NodeState[names.size()];
        for (int place = 0; place < newStates.length; place++) {
            var name = names.get(place);
            var before = oldPlaces.get(name);
            newStates[place] = before == null
                    ? new NodeState(name, inventory.shelf(name).orElseThrow(), ledger.of(name), network)
                    : fresh(name, old[before]);
            newPlaces.put(name, place);
        }
        seating++;
        states = newStates;
        places = newPlaces;
    }

    private NodeState fresh(NodeName name, NodeState before) {
        return before.with(inventory.shelf(name).orElseThrow(), ledger.of(name), network);
    }
}
