package dev.berth.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All devices at one moment. Immutable; a change makes a new one with the next version. */
public final class Inventory {
    public static final Inventory EMPTY = new Inventory(0, Map.of());

    private final long version;
    private final Map<NodeName, List<Device>> byNode;

    private Inventory(long version, Map<NodeName, List<Device>> byNode) {
        this.version = version;
        this.byNode = byNode;
    }

    public long version() {
        return version;
    }

    public Set<NodeName> nodes() {
        return byNode.keySet();
    }

    /** The node's devices ordered by id; none for a node that is not known. */
    public List<Device> devices(NodeName node) {
        return byNode.getOrDefault(node, List.of());
    }

    /** The same inventory with this node's devices replaced; the same object when nothing changed. */
    public Inventory with(NodeName node, Collection<Device> devices) {
        var ordered = devices.stream().sorted(Comparator.comparing(Device::id)).toList();
        check(node, ordered);
        if (ordered.equals(byNode.get(node))) {
            return this;
        }
        var next = new HashMap<>(byNode);
        next.put(node, ordered);
        return new Inventory(version + 1, Map.copyOf(next));
    }

    public Inventory without(NodeName node) {
        if (!byNode.containsKey(node)) {
            return this;
        }
        var next = new HashMap<>(byNode);
        next.remove(node);
        return new Inventory(version + 1, Map.copyOf(next));
    }

    private static void check(NodeName node, List<Device> devices) {
        var seen = new HashSet<DeviceId>();
        for (var device : devices) {
            if (!device.node().equals(node)) {
                throw new IllegalArgumentException(
                        "device %s is on node %s, not on %s".formatted(device.id(), device.node(), node));
            }
            if (!seen.add(device.id())) {
                throw new IllegalArgumentException("node %s has device %s twice".formatted(node, device.id()));
            }
        }
    }

    @Override
    public String toString() {
        return "inventory version=%d nodes=%d".formatted(version, byNode.size());
    }
}
