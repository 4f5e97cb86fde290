package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/**
 * Keeps pods of one kind together, by how many GPUs they take or that they share one (as Gandiva does, in the form of
 * Weng et al.): nodes with this kind alone first, then mixed ones, then free ones, and the fuller of two alike. On the
 * node the device that has least left. Pods without GPUs go anywhere.
 */
public record GpuClustering() implements SharePolicy {
    @Override
    public String name() {
        return "gpu-clustering";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(node.freeCores(device), node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        int kind = Host.kind(before.freeCores() - after.freeCores());
        if (kind == 0) {
            return Rank.EQUAL;
        }
        int there = guests(before);
        int quarter;
        if ((there & kind) != 0) {
            quarter = there == kind ? 75 : 50;
        } else {
            quarter = there == 0 ? 25 : 0;
        }
        long most = (long) ShareBestFit.MOST_CORES;
        return new Rank(-(quarter + 25 * (most - before.freeCores()) / most), 0);
    }

    /** Where nobody says who is there, the devices tell whether someone shares and whether someone has one whole. */
    private static int guests(GpuNode node) {
        if (node.host().guests() != 0) {
            return node.host().guests();
        }
        int kinds = 0;
        for (int device = 0; device < node.devices(); device++) {
            kinds |= Host.kind(node.untouched(device) ? 0 : node.freeCores(device) > 0 ? 1 : Slice.WHOLE);
        }
        return kinds;
    }

    @Override
    public boolean looksAhead() {
        return true;
    }
}
