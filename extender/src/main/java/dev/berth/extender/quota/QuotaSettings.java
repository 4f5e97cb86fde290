package dev.berth.extender.quota;

import dev.berth.extender.board.GpuLabels;

/** Where the quota is written, and which labels tell a node's GPU model and pool. */
public record QuotaSettings(String namespace, String name, GpuLabels labels) {
    public static final QuotaSettings STANDARD = new QuotaSettings("kube-system", "gpuquota", GpuLabels.STANDARD);

    /** The key of the ConfigMap. */
    public static final String KEY = "gpu_quota";

    public QuotaSettings {
        if (namespace.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("the ConfigMap with the quota must have a namespace and a name");
        }
    }
}
