package dev.berth.extender.place;

import dev.berth.extender.wire.GpuPod;

/** Why a node is not the one, in the words that the document has for it. */
final class Reasons {
    static final String NO_GPU = "no GPU device";
    static final String NOT_WRITTEN = "update pod annotation failed";

    private Reasons() {}

    static String noMatch(GpuPod pod) {
        return "pod %s does not match with this node".formatted(pod.uid());
    }

    static String elsewhere(GpuPod pod) {
        return "pod %s has already been matched to another node".formatted(pod.uid());
    }

    static String overQuota(String model, long used, long limit) {
        return "ExceedsGPUQuota: %s %d/%d".formatted(model.isEmpty() ? "no GPU model" : model, used, limit);
    }

    static String outsidePool(String pool) {
        return "ExceedsGPUQuota: pool %s is not the namespace's".formatted(pool.isEmpty() ? "(none)" : pool);
    }

    static String predicated(GpuPod pod) {
        return "pod %s had been predicated!".formatted(pod.name());
    }
}
