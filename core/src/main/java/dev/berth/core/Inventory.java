package dev.berth.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * All devices at one moment: one shelf a node, and one a pool on the network. Immutable; a change makes a new one with
 * the next version, at a cost that does not grow with the number of nodes.
 */
public final class Inventory {
    public static final Inventory EMPTY = new Inventory(0, Trie.empty(), Map.of());

    private final long version;
    private final Trie<NodeName, Shelf> nodes;
    private final Map<NodeName, Shelf> network;

    private Inventory(long version, Trie<NodeName, Shelf> nodes, Map<NodeName, Shelf> network) {
        this.version = version;
        this.nodes = nodes;
        this.network = network;
    }

    public long version() {
        return version;
    }

    /** The nodes by name. */
    public List<NodeName> nodes() {
        var names = new ArrayList<NodeName>(nodes.size());
        nodes.forEach((name, shelf) -> names.add(name));
        names.sort(Comparator.naturalOrder());
        return names;
    }

    public Optional<Shelf> shelf(NodeName node) {
        return nodes.find(node);
    }

    /** The node's devices as published; none for a node that is not known. */
    public List<Device> devices(NodeName node) {
        return shelf(node).map(Shelf::devices).orElse(List.of());
    }

    /** The pools on the network, by their page in the ledger. */
    public List<Shelf> network() {
        return network.values().stream()
                .sorted(Comparator.comparing(Shelf::place))
                .toList();
    }

    /** The same inventory with this node's devices replaced; the same object when nothing changed. */
    public Inventory with(NodeName node, Collection<Device> devices) {
        return with(new Shelf(node, devices));
    }

    /** The same with this place's shelf replaced. */
    public Inventory with(Shelf shelf) {
        if (shelf.network()) {
            var next = new HashMap<>(network);
            return shelf.equals(next.put(shelf.place(), shelf))
                    ? this
                    : new Inventory(version + 1, nodes, Map.copyOf(next));
        }
        var known = nodes.find(shelf.place());
        return known.isPresent() && known.get().equals(shelf)
                ? this
                : new Inventory(version + 1, nodes.with(shelf.place(), shelf), network);
    }

    /** The same without this node, or without this pool. */
    public Inventory without(NodeName place) {
        if (network.containsKey(place)) {
            var next = new HashMap<>(network);
            next.remove(place);
            return new Inventory(version + 1, nodes, Map.copyOf(next));
        }
        return nodes.find(place).isEmpty() ? this : new Inventory(version + 1, nodes.without(place), network);
    }

    /** Names every node whose shelf is another than in the earlier inventory; none where it is gone. */
    public void changesSince(Inventory earlier, BiConsumer<NodeName, Optional<Shelf>> changed) {
        nodes.changesSince(earlier.nodes, changed);
    }

    @Override
    public String toString() {
        return "inventory version=%d nodes=%d pools=%d".formatted(version, nodes.size(), network.size());
    }
}
