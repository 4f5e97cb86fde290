package dev.berth.kube.ledger;

import dev.berth.core.Door;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.card.Guest;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods that ask for GPUs by number ({@code nvidia.com/gpu: 2}): which they got, only their kubelet knows. Those that a
 * door gave cards to are among them; the ledger says who they are.
 */
public final class CountedPods {
    private static final String RESOURCE_END = "/gpu";
    /** More than any machine has. */
    private static final int MOST = 1024;

    private CountedPods() {}

    /** Whether this resource is a number of GPUs. */
    public static boolean counts(String resource) {
        return resource.endsWith(RESOURCE_END);
    }

    public static List<Guest> on(Pods pods, NodeName node) {
        return of(pods.on(node));
    }

    /** Those among the pods of one node. */
    public static List<Guest> of(Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> !Sighting.finished(pod))
                .flatMap(pod -> guest(pod).stream())
                .toList();
    }

    /** What the pod holds wherever it is; nothing if it asks for no GPU by number. */
    public static Optional<Guest> guest(Pod pod) {
        int gpus = gpus(pod);
        var metadata = pod.getMetadata();
        return gpus == 0
                ? Optional.empty()
                : Optional.of(new Guest(
                        Holder.pod(Door.OUTSIDE, metadata.getNamespace(), metadata.getName(), metadata.getUid()),
                        gpus));
    }

    /** Names the node whenever such a pod comes to it, changes on it or ends. */
    public static Consumer<Change<Pod>> telling(Consumer<NodeName> told) {
        return change -> {
            var pod = change.newest();
            Pods.nodeOf(pod).filter(_ -> gpus(pod) > 0).ifPresent(told);
        };
    }

    /**
     * How many GPUs a pod asks for: its containers and sidecars together, or the most that is asked for before they
     * start, by one that prepares and the sidecars that run beside it.
     */
    public static int gpus(Pod pod) {
        int together = 0;
        int sidecars = 0;
        int before = 0;
        var claimed = claimed(pod);
        for (var container : listed(pod.getSpec().getContainers())) {
            together += gpus(container, claimed);
        }
        for (var container : listed(pod.getSpec().getInitContainers())) {
            if ("Always".equals(container.getRestartPolicy())) {
                sidecars += gpus(container, claimed);
            } else {
                before = Math.max(before, sidecars + gpus(container, claimed));
            }
        }
        return Math.min(MOST, Math.max(together + sidecars, before));
    }

    private static List<Container> listed(@Nullable List<Container> containers) {
        return Objects.requireNonNullElse(containers, List.of());
    }

    /** The resources for which the pod has a claim: its devices are known by that. */
    private static Set<String> claimed(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getExtendedResourceClaimStatus() == null) {
            return Set.of();
        }
        return pod.getStatus().getExtendedResourceClaimStatus().getRequestMappings().stream()
                .map(ContainerExtendedResourceRequest::getResourceName)
                .collect(Collectors.toSet());
    }

    private static int gpus(Container container, Set<String> claimed) {
        if (container.getResources() == null) {
            return 0;
        }
        Map<String, Quantity> limits =
                Objects.requireNonNullElse(container.getResources().getLimits(), Map.of());
        int sum = 0;
        for (var limit : limits.entrySet()) {
            if (counts(limit.getKey()) && !claimed.contains(limit.getKey())) {
                sum += whole(limit.getValue());
            }
        }
        return sum;
    }

    private static int whole(Quantity quantity) {
        try {
            return Math.clamp(quantity.getNumericalAmount().longValue(), 0, MOST);
        } catch (ArithmeticException | IllegalArgumentException malformed) {
            return 0;
        }
    }
}
