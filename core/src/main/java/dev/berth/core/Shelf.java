package dev.berth.core;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The devices of one place, in the order in which they were published, and what they draw from together. A place is a
 * node, or a pool on the network; each has one page in the ledger.
 */
public record Shelf(NodeName place, List<Device> devices, Map<Counter, Quantity> counters) {
    public Shelf {
        devices = List.copyOf(devices);
        counters = Map.copyOf(counters);
        var seen = new HashSet<DeviceId>();
        for (var device : devices) {
            if (device.reach() instanceof Reach.On(var node) && !node.equals(place)) {
                throw new IllegalArgumentException(
                        "device %s is on node %s, not on %s".formatted(device.id(), node, place));
            }
            if (!seen.add(device.id())) {
                throw new IllegalArgumentException("%s has device %s twice".formatted(place, device.id()));
            }
        }
    }

    public Shelf(NodeName place, Collection<Device> devices) {
        this(place, List.copyOf(devices), Map.of());
    }

    /** Whether the devices hang on the network instead of sitting in one node. */
    boolean network() {
        return devices.stream().anyMatch(device -> !(device.reach() instanceof Reach.On));
    }
}
