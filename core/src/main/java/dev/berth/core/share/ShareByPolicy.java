package dev.berth.core.share;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Quantity;
import dev.berth.core.demand.Demand;
import dev.berth.core.policy.DeviceView;
import dev.berth.core.policy.NodeView;
import dev.berth.core.policy.Pack;
import dev.berth.core.policy.Policy;
import dev.berth.core.policy.Policy.Rank;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A policy of the engine, asked about a node whose GPUs are given out in parts; devices are tried as published. */
record ShareByPolicy(Policy policy) implements SharePolicy {
    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return Rank.EQUAL;
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        var devices = IntStream.range(0, before.devices())
                .mapToObj(index -> view(before, index))
                .toList();
        return policy.rank(
                new NodeView(before.name(), devices, before.untouched()),
                List.of(),
                Demand.of(before.name().value()));
    }

    private static DeviceView view(GpuNode node, int index) {
        return new DeviceView(
                new Device(new DeviceId(Integer.toString(index)), node.name()).inParts(),
                node.untouched(index),
                Map.of(
                        Pack.CORES, Quantity.of(node.freeCores(index)),
                        Pack.MEMORY, Quantity.of(node.freeMemory(index))));
    }
}
