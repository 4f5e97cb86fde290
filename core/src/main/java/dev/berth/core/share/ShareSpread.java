package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/** Takes the emptiest node and its emptiest device, so that a failure or a noisy neighbour hits as few as possible. */
public record ShareSpread() implements SharePolicy {
    @Override
    public String name() {
        return "spread";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(-node.freeCores(device), -node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(-before.untouched(), -before.freeCores());
    }
}
