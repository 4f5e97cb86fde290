package dev.berth.kube.pod;

import dev.berth.kube.Cluster;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Says in a pod's status why it is not scheduled, in the words that autoscalers look for. */
public final class PodConditions {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String TYPE = "PodScheduled";
    private static final String REASON = "Unschedulable";

    private final Cluster cluster;
    private final InstantSource clock;

    public PodConditions(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /** Writes the condition if the pod does not say just that already; true if it was written. */
    public boolean unschedulable(Pod pod, String message) {
        var current = condition(pod);
        if (current.filter(condition -> says(condition, message)).isPresent()) {
            return false;
        }
        var condition = new HashMap<String, Object>();
        condition.put("type", TYPE);
        condition.put("status", "False");
        condition.put("reason", REASON);
        condition.put("message", message);
        if (current.filter(before -> "False".equals(before.getStatus())).isEmpty()) {
            condition.put(
                    "lastTransitionTime",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        // The uid makes the patch fail on another pod of that name.
        var patch = Map.of(
                "metadata", Map.of("uid", pod.getMetadata().getUid()),
                "status", Map.of("conditions", List.of(condition)));
        return patch(pod, patch);
    }

    private boolean patch(Pod pod, Object patch) {
        var path =
                PodPath.of(pod.getMetadata().getNamespace(), pod.getMetadata().getName()) + "/status";
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                cluster.courier().patch(path, Courier.STRATEGIC_MERGE_PATCH, patch);
                return true;
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    case ABSENT, CONFLICT -> false;
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                };
            }
        });
    }

    private static Optional<PodCondition> condition(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition -> TYPE.equals(condition.getType()))
                .findFirst();
    }

    private static boolean says(PodCondition condition, String message) {
        return "False".equals(condition.getStatus())
                && REASON.equals(condition.getReason())
                && message.equals(Objects.requireNonNullElse(condition.getMessage(), ""));
    }
}
