package dev.berth.assigner.wire;

/** The names of labels, annotations and resources, as the assigner's users know them. */
public final class Keys {
    /** On a node: which GPUs it has and how each is labelled. */
    public static final String DEVICE_LABELS = "fudo.org/gpu.device.labels";

    /** On a pod and on a Lease: the GPU. */
    public static final String UUID = "fudo.org/gpu.uuid";

    public static final String NODE = "fudo.org/gpu.node";
    public static final String RESERVATION_ID = "fudo.org/gpu.reservation-id";
    public static final String CDI_ASSIGNMENT = "cdi.k8s.io/gpu-assignment";

    /** On a Lease. */
    public static final String POD_NAMESPACE = "fudo.org/pod.namespace";

    /** On a Lease: {@link #PROPOSAL} or {@link #ACTIVE}; absent means active. */
    public static final String STATE = "fudo.org/gpu.reservation-state";

    public static final String PROPOSAL = "proposal";
    public static final String ACTIVE = "active";

    /** On a pod: any GPU will do. */
    static final String ASSIGN = "fudo.org/gpu.assign";

    static final String GPU = "nvidia.com/gpu";

    private static final String GPU_LABEL = "fudo.org/gpu";

    private Keys() {}

    /** Whether a pod's label speaks of GPUs: {@code fudo.org/gpu} and what follows it after a dot. */
    static boolean isGpuLabel(String key) {
        return key.equals(GPU_LABEL) || key.startsWith(GPU_LABEL + ".");
    }
}
