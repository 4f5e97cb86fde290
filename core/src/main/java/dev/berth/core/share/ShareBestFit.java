package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/** Takes the node that has least left afterwards, of CPU and GPU together, and the device that has least left. */
public record ShareBestFit() implements SharePolicy {
    /** What the largest machine has, by which what is left is measured. */
    static final double MOST_CPU = 128_000;

    static final double MOST_CORES = 8.0 * Slice.WHOLE;

    @Override
    public String name() {
        return "best-fit";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(node.freeCores(device), node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(-(int) (100 * (1 - left(after))), 0);
    }

    /** What is left of a node, as a part of the largest machine. */
    static double left(GpuNode node) {
        return 0.5 * node.host().cpu() / MOST_CPU + 0.5 * node.freeCores() / MOST_CORES;
    }

    @Override
    public boolean looksAhead() {
        return true;
    }
}
