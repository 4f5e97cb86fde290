package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes away from a pod that has its node what no door reads of it any more: what it runs, and how. Who it is, whose,
 * where, how much of what it takes and whom it wants near stays. A pod that still waits stays whole: a door decides
 * about it.
 */
public final class SlimPods implements Consumer<Pod> {
    private static final String RESIZE = "PodResizePending";

    private final Common common = new Common();

    @Override
    public void accept(Pod pod) {
        var spec = pod.getSpec();
        if (spec == null || spec.getNodeName() == null || spec.getNodeName().isEmpty()) {
            return;
        }
        pod.setApiVersion(common.one(pod.getApiVersion()));
        pod.setKind(common.one(pod.getKind()));
        slim(pod.getMetadata());
        pod.setSpec(slim(spec));
        if (pod.getStatus() != null) {
            pod.setStatus(slim(pod.getStatus(), spec));
        }
        pod.setAdditionalProperties(common.map(pod.getAdditionalProperties()));
    }

    private void slim(ObjectMeta metadata) {
        SlimNodes.slim(metadata, common);
        var owners = metadata.getOwnerReferences();
        if (owners == null || owners.isEmpty()) {
            metadata.setOwnerReferences(List.of());
        } else {
            owners.forEach(owner -> owner.setAdditionalProperties(common.map(owner.getAdditionalProperties())));
            metadata.setOwnerReferences(common.one(List.copyOf(owners)));
        }
    }

    private PodSpec slim(PodSpec whole) {
        var spec = new PodSpec();
        spec.setNodeName(common.one(whole.getNodeName()));
        spec.setSchedulerName(common.one(whole.getSchedulerName()));
        spec.setPriority(whole.getPriority());
        spec.setNodeSelector(common.map(whole.getNodeSelector()));
        spec.setAffinity(common.one(whole.getAffinity()));
        spec.setTolerations(shared(whole.getTolerations()));
        spec.setTopologySpreadConstraints(shared(whole.getTopologySpreadConstraints()));
        spec.setOverhead(common.map(whole.getOverhead()));
        spec.setResources(common.one(whole.getResources()));
        spec.setResourceClaims(shared(whole.getResourceClaims()));
        spec.setContainers(containers(whole.getContainers()));
        spec.setInitContainers(containers(whole.getInitContainers()));
        spec.setEphemeralContainers(List.of());
        spec.setHostAliases(List.of());
        spec.setImagePullSecrets(List.of());
        spec.setReadinessGates(List.of());
        spec.setSchedulingGates(List.of());
        spec.setVolumes(List.of());
        spec.setAdditionalProperties(common.map(whole.getAdditionalProperties()));
        return spec;
    }

    private List<Container> containers(@Nullable List<Container> whole) {
        return whole == null ? List.of() : shared(whole.stream().map(this::slim).toList());
    }

    private Container slim(Container whole) {
        var container = new Container();
        container.setName(common.one(whole.getName()));
        container.setRestartPolicy(common.one(whole.getRestartPolicy()));
        container.setResources(common.one(whole.getResources()));
        container.setPorts(shared(Objects.requireNonNullElse(whole.getPorts(), List.<ContainerPort>of()).stream()
                .filter(port -> port.getHostPort() != null && port.getHostPort() > 0)
                .toList()));
        container.setArgs(List.of());
        container.setCommand(List.of());
        container.setEnv(List.of());
        container.setEnvFrom(List.of());
        container.setResizePolicy(List.of());
        container.setRestartPolicyRules(List.of());
        container.setVolumeDevices(List.of());
        container.setVolumeMounts(List.of());
        container.setAdditionalProperties(common.map(whole.getAdditionalProperties()));
        return container;
    }

    private PodStatus slim(PodStatus whole, PodSpec spec) {
        var wanted = new HashMap<String, Map<String, Quantity>>();
        Stream.of(spec.getContainers(), spec.getInitContainers())
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .forEach(container -> wanted.put(container.getName(), requests(container.getResources())));
        var status = new PodStatus();
        status.setPhase(common.one(whole.getPhase()));
        status.setConditions(Objects.requireNonNullElse(whole.getConditions(), List.<PodCondition>of()).stream()
                .filter(condition -> RESIZE.equals(condition.getType()))
                .toList());
        status.setContainerStatuses(resized(whole.getContainerStatuses(), wanted));
        status.setInitContainerStatuses(resized(whole.getInitContainerStatuses(), wanted));
        status.setEphemeralContainerStatuses(List.of());
        status.setExtendedResourceClaimStatus(whole.getExtendedResourceClaimStatus());
        status.setResourceClaimStatuses(shared(whole.getResourceClaimStatuses()));
        status.setAllocatedResources(Map.of());
        status.setHostIPs(List.of());
        status.setPodIPs(List.of());
        status.setNodeAllocatableResourceClaimStatuses(List.of());
        status.setAdditionalProperties(common.map(whole.getAdditionalProperties()));
        return Objects.requireNonNull(common.one(status));
    }

    /** A container that has what it asks for says nothing new; one that is being resized does. */
    private static List<ContainerStatus> resized(
            @Nullable List<ContainerStatus> whole, Map<String, Map<String, Quantity>> wanted) {
        return whole == null
                ? List.of()
                : whole.stream()
                        .filter(status -> status.getResources() != null)
                        .filter(status -> {
                            var asked = wanted.getOrDefault(status.getName(), Map.of());
                            var given = Objects.requireNonNullElse(
                                    status.getAllocatedResources(), Map.<String, Quantity>of());
                            return !requests(status.getResources()).equals(asked)
                                    || !(given.isEmpty() || given.equals(asked));
                        })
                        .map(SlimPods::slim)
                        .toList();
    }

    private static ContainerStatus slim(ContainerStatus whole) {
        var status = new ContainerStatus();
        status.setName(whole.getName());
        status.setResources(whole.getResources());
        status.setAllocatedResources(whole.getAllocatedResources());
        return status;
    }

    private static Map<String, Quantity> requests(@Nullable ResourceRequirements requirements) {
        return requirements == null || requirements.getRequests() == null ? Map.of() : requirements.getRequests();
    }

    private <T> List<T> shared(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? List.of() : Objects.requireNonNull(common.one(List.copyOf(list)));
    }
}
