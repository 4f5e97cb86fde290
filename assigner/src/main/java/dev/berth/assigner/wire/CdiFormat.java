package dev.berth.assigner.wire;

/** How a GPU is named for the container runtime. */
public enum CdiFormat {
    /** {@code nvidia.com/gpu=UUID=GPU-1}: as published, though no stock runtime takes it. */
    UPSTREAM("nvidia.com/gpu=UUID="),
    /** {@code nvidia.com/gpu=GPU-1}: a name by the rules of the Container Device Interface. */
    CDI("nvidia.com/gpu=");

    private final String prefix;

    CdiFormat(String prefix) {
        this.prefix = prefix;
    }

    String name(String uuid) {
        return prefix + uuid;
    }
}
