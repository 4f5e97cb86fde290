package dev.berth.core;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One thing that can be given out. */
public record Device(
        DeviceId id,
        NodeName node,
        Map<String, Attribute> attributes,
        Map<String, Quantity> capacities,
        OptionalInt index,
        Optional<String> uuid) {
    public Device {
        attributes = Map.copyOf(attributes);
        capacities = Map.copyOf(capacities);
        if (index.isPresent() && index.getAsInt() < 0) {
            throw new IllegalArgumentException("device %s has the negative index %d".formatted(id, index.getAsInt()));
        }
    }

    public Device(DeviceId id, NodeName node) {
        this(id, node, Map.of(), Map.of(), OptionalInt.empty(), Optional.empty());
    }
}
