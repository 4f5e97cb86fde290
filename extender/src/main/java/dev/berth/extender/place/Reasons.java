package dev.berth.extender.place;

import dev.berth.core.share.Slice;
import dev.berth.extender.wire.GpuPod;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** Why a node is not the one, in the words that the document has for it. */
final class Reasons {
    static final String NO_GPU = "no GPU device";
    static final String NOT_WRITTEN = "update pod annotation failed";

    private static final String QUOTA = "ExceedsGPUQuota";

    private Reasons() {}

    static String noMatch(GpuPod pod) {
        return "pod %s does not match with this node".formatted(pod.uid());
    }

    static String elsewhere(GpuPod pod) {
        return "pod %s has already been matched to another node".formatted(pod.uid());
    }

    static String overQuota(String model, long used, long limit) {
        return (QUOTA + ": %s %d/%d").formatted(model.isEmpty() ? "no GPU model" : model, used, limit);
    }

    static String outsidePool(String pool) {
        return (QUOTA + ": pool %s is not the namespace's").formatted(pool.isEmpty() ? "(none)" : pool);
    }

    static boolean aboutQuota(String reason) {
        return reason.startsWith(QUOTA);
    }

    /** What a pod wants, for people: no number of theirs is in {@link #noMatch}. */
    static String noRoom(GpuPod pod) {
        return "no room (%s)".formatted(wanted(pod));
    }

    static String wanted(GpuPod pod) {
        var wanted = new StringJoiner(", ");
        Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                .filter(container -> container.slice().cores() > 0)
                .map(container -> "%s wants %s".formatted(container.name(), words(container.slice())))
                .forEach(wanted::add);
        return wanted.toString();
    }

    private static String words(Slice slice) {
        return slice.exclusive()
                ? "%d whole GPU%s".formatted(slice.gpus(), slice.gpus() == 1 ? "" : "s")
                : "%d cores and %d of memory on one GPU".formatted(slice.cores(), slice.memory());
    }

    static String predicated(GpuPod pod) {
        return "pod %s had been predicated!".formatted(pod.name());
    }
}
