package dev.berth.pinner.map;

/** The names that users write, exactly as they are spelled. */
public final class Keys {
    /** On a pod: where each replica goes. */
    public static final String MAP = "gpu-scheduling-map";
    /** On a node: what maps call it. */
    public static final String NODE_NAME = "gpu-node-name";
    /** On a pod of a StatefulSet: its number. */
    public static final String POD_INDEX = "apps.kubernetes.io/pod-index";
    /** In a container: the GPUs that it sees. */
    public static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";
    /** Written with the binding: the GPUs that the pod was bound for, whatever becomes of the map later. */
    public static final String PINNED = "berth.dev/pinned-gpus";

    private Keys() {}
}
