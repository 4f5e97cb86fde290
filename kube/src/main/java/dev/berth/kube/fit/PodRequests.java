package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of its node: its containers together, or its largest init container with the sidecars started before
 * it, whichever is more; what the pod says as a whole; and its overhead (KEP 753, KEP 2837, KEP 1287).
 */
final class PodRequests {
    private PodRequests() {}

    static Resources of(Pod pod) {
        var spec = pod.getSpec();
        var statuses = statuses(pod.getStatus());
        boolean infeasible = resizeIsInfeasible(pod.getStatus());
        var together = Resources.NONE;
        for (var container : present(spec.getContainers())) {
            together = together.plus(effective(container, statuses, infeasible));
        }
        var sidecars = Resources.NONE;
        var largestInit = Resources.NONE;
        for (var container : present(spec.getInitContainers())) {
            if ("Always".equals(container.getRestartPolicy())) {
                var requests = effective(container, statuses, infeasible);
                together = together.plus(requests);
                sidecars = sidecars.plus(requests);
                largestInit = largestInit.max(sidecars);
            } else {
                largestInit = largestInit.max(requests(container.getResources()).plus(sidecars));
            }
        }
        return together.max(largestInit)
                .overriddenBy(podLevel(spec.getResources()))
                .plus(Resources.of(spec.getOverhead()));
    }

    /** While a resize is under way the larger of old and new counts; one that cannot be done does not. */
    private static Resources effective(Container container, Map<String, ContainerStatus> statuses, boolean infeasible) {
        var wanted = requests(container.getResources());
        var status = statuses.get(container.getName());
        if (status == null || status.getResources() == null) {
            return wanted;
        }
        var actual = requests(status.getResources()).max(Resources.of(status.getAllocatedResources()));
        return infeasible ? actual : wanted.max(actual);
    }

    private static Resources requests(@Nullable ResourceRequirements requirements) {
        return requirements == null ? Resources.NONE : Resources.of(requirements.getRequests());
    }

    private static Resources podLevel(@Nullable ResourceRequirements requirements) {
        if (requirements == null || requirements.getRequests() == null) {
            return Resources.NONE;
        }
        var known = new HashMap<String, Quantity>();
        requirements.getRequests().forEach((resource, quantity) -> {
            if (resource.equals(Resources.CPU)
                    || resource.equals(Resources.MEMORY)
                    || resource.startsWith("hugepages-")) {
                known.put(resource, quantity);
            }
        });
        return Resources.of(known);
    }

    private static Map<String, ContainerStatus> statuses(@Nullable PodStatus status) {
        var byName = new HashMap<String, ContainerStatus>();
        if (status != null) {
            Stream.of(present(status.getContainerStatuses()), present(status.getInitContainerStatuses()))
                    .flatMap(List::stream)
                    .forEach(each -> byName.put(each.getName(), each));
        }
        return byName;
    }

    private static boolean resizeIsInfeasible(@Nullable PodStatus status) {
        return status != null
                && present(status.getConditions()).stream()
                        .anyMatch(condition -> "PodResizePending".equals(condition.getType())
                                && "Infeasible".equals(condition.getReason()));
    }

    private static <T> List<T> present(@Nullable List<T> list) {
        return Objects.requireNonNullElse(list, List.of());
    }
}
