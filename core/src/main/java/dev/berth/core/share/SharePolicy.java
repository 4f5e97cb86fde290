package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/** Which of several GPUs, and of several nodes, is taken for a slice. Among equals the lower index and name win. */
public interface SharePolicy {
    /** What {@code --policy} calls it. */
    String name();

    /**
     * How good a device that has room for the slice is: the lowest rank is taken.
     *
     * @param rest what will be left of the node besides its GPUs
     */
    Rank device(GpuNode node, int device, Slice slice, Host rest);

    /** How good a node is: the lowest rank is taken. */
    Rank node(GpuNode before, GpuNode after);

    /** Whether a node's rank depends on what would be left of it, so that the devices must be chosen first. */
    default boolean looksAhead() {
        return false;
    }

    /** Whether ranks are lots, drawn anew each time, so that none can be kept. */
    default boolean drawsLots() {
        return false;
    }
}
