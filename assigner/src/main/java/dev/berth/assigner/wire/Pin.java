package dev.berth.assigner.wire;

/** How a pod is tied to the node of its GPUs. */
public enum Pin {
    /** Bound at once, past the scheduler. */
    NODE_NAME,
    /** By required node affinity: the scheduler binds it, and has a say. */
    AFFINITY
}
