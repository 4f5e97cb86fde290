package dev.berth.cli.defrag;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Whether a pod may be moved: only one that somebody makes again, and that loses nothing but its place. */
final class Mobility {
    /** What cluster-autoscaler's users write on pods that are not to be disturbed. */
    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";

    private static final String SYSTEM = "kube-system";
    private static final Set<String> MAKE_AGAIN = Set.of("ReplicaSet", "ReplicationController", "StatefulSet");

    private Mobility() {}

    /** Why it stays; empty if it may be moved. */
    static Optional<String> stays(Pod pod) {
        var metadata = pod.getMetadata();
        if (metadata.getDeletionTimestamp() != null) {
            return Optional.of("it is leaving already");
        }
        if (SYSTEM.equals(metadata.getNamespace())) {
            return Optional.of("it belongs to " + SYSTEM);
        }
        if ("false"
                .equals(Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
                        .get(SAFE_TO_EVICT))) {
            return Optional.of("its annotation %s is false".formatted(SAFE_TO_EVICT));
        }
        return controller(pod)
                .map(owner -> MAKE_AGAIN.contains(owner.getKind())
                        ? Optional.<String>empty()
                        : Optional.of(reason(owner.getKind())))
                .orElse(Optional.of("no controller would make it again"));
    }

    private static String reason(String kind) {
        return switch (kind) {
            case "DaemonSet" -> "a DaemonSet wants it on its node";
            case "Node" -> "its kubelet runs it from a file";
            case "Job" -> "it is a Job's: what it has done would be lost";
            default -> "nobody knows whether its %s would make it again".formatted(kind);
        };
    }

    static Optional<OwnerReference> controller(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getOwnerReferences(), List.<OwnerReference>of()).stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }
}
