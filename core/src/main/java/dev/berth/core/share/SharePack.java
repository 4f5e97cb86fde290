package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/** Fills the busiest node that has room, and its busiest device: the order that gpu-manager checks. */
public record SharePack() implements SharePolicy {
    @Override
    public String name() {
        return "pack";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(node.freeCores(device), node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(before.freeCores(), before.freeMemory());
    }
}
