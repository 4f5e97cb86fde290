package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/**
 * Takes GPUs that are in use before free ones, free ones on nodes in use before those of free nodes (as in Weng et
 * al.); on the node the device that has least left. Pods without GPUs go anywhere.
 */
public record GpuPacking() implements SharePolicy {
    @Override
    public String name() {
        return "gpu-packing";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(node.freeCores(device), node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(-score(before, after), 0);
    }

    private static long score(GpuNode before, GpuNode after) {
        if (before.freeCores() == after.freeCores()) {
            return 0;
        }
        if (before.untouched() == before.devices()) {
            return Math.max(33 - before.devices(), before.devices());
        }
        int freshlyUsed = before.untouched() - after.untouched();
        if (freshlyUsed > 0) {
            return Math.max(50 - freshlyUsed, 33);
        }
        long left = 0;
        for (int device = 0; device < before.devices(); device++) {
            if (after.freeCores(device) < before.freeCores(device)) {
                left += before.freeCores(device);
            }
        }
        return Math.max(100 - left / 10, 50);
    }

    @Override
    public boolean looksAhead() {
        return true;
    }
}
