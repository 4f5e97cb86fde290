package dev.berth.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * One thing that can be given out. A shareable one can be held in parts by several at once.
 *
 * @param listing where it stands among the devices of several places that one node reaches; empty before all others
 */
public record Device(
        DeviceId id,
        Reach reach,
        Map<String, Attribute> attributes,
        Map<String, Capacity> capacities,
        boolean shareable,
        Map<Counter, Quantity> draws,
        List<Taint> taints,
        OptionalInt index,
        Optional<String> uuid,
        String listing) {
    public Device {
        attributes = Map.copyOf(attributes);
        capacities = Map.copyOf(capacities);
        draws = Map.copyOf(draws);
        taints = List.copyOf(taints);
        if (index.isPresent() && index.getAsInt() < 0) {
            throw new IllegalArgumentException("device %s has the negative index %d".formatted(id, index.getAsInt()));
        }
    }

    /** A device of which nothing is known but where it is. */
    public Device(DeviceId id, Reach reach) {
        this(id, reach, Map.of(), Map.of(), false, Map.of(), List.of(), OptionalInt.empty(), Optional.empty(), "");
    }

    public Device(DeviceId id, NodeName node) {
        this(id, new Reach.On(node));
    }

    public Device withAttributes(Map<String, Attribute> known) {
        return new Device(id, reach, known, capacities, shareable, draws, taints, index, uuid, listing);
    }

    public Device withCapacities(Map<String, Capacity> known) {
        return new Device(id, reach, attributes, known, shareable, draws, taints, index, uuid, listing);
    }

    public Device inParts() {
        return new Device(id, reach, attributes, capacities, true, draws, taints, index, uuid, listing);
    }

    /** The device as one that takes so much from what it shares with others while it is held. */
    public Device drawing(Map<Counter, Quantity> amounts) {
        return new Device(id, reach, attributes, capacities, shareable, amounts, taints, index, uuid, listing);
    }

    public Device withTaints(List<Taint> marks) {
        return new Device(id, reach, attributes, capacities, shareable, draws, marks, index, uuid, listing);
    }

    /** So many of a node, of which nothing is known but their numbers, from 0 on. */
    public static List<Device> numbered(NodeName node, int count) {
        return IntStream.range(0, count)
                .mapToObj(position -> new Device(DeviceId.ofIndex(position), node).withIndex(position))
                .toList();
    }

    public Device withIndex(int position) {
        return new Device(
                id, reach, attributes, capacities, shareable, draws, taints, OptionalInt.of(position), uuid, listing);
    }

    public Device withUuid(String known) {
        return new Device(
                id, reach, attributes, capacities, shareable, draws, taints, index, Optional.of(known), listing);
    }
}
