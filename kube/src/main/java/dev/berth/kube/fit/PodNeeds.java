package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a pod asks of its node and of its neighbours, read once. */
public record PodNeeds(
        String namespace,
        String name,
        String uid,
        Map<String, String> labels,
        boolean terminating,
        Optional<String> nodeName,
        Resources requests,
        List<Toleration> tolerations,
        NodeSelection selection,
        Set<HostPort> hostPorts,
        List<PodTerm> affinity,
        List<PodTerm> antiAffinity,
        List<TopologySpread.Rule> spread) {
    public PodNeeds {
        labels = Map.copyOf(labels);
        tolerations = List.copyOf(tolerations);
        hostPorts = Set.copyOf(hostPorts);
        affinity = List.copyOf(affinity);
        antiAffinity = List.copyOf(antiAffinity);
        spread = List.copyOf(spread);
    }

    /**
     * @throws IllegalArgumentException for a pod that no API server would take: an amount that is none, a selector with
     *     an unknown operator
     */
    public static PodNeeds of(Pod pod) {
        var metadata = pod.getMetadata();
        var spec = pod.getSpec();
        Map<String, String> labels = Objects.requireNonNullElse(metadata.getLabels(), Map.of());
        var namespace = Objects.requireNonNullElse(metadata.getNamespace(), "default");
        var affinity = Optional.ofNullable(spec.getAffinity());
        return new PodNeeds(
                namespace,
                Objects.requireNonNullElse(metadata.getName(), ""),
                Objects.requireNonNullElse(metadata.getUid(), ""),
                labels,
                metadata.getDeletionTimestamp() != null,
                Optional.ofNullable(spec.getNodeName()).filter(name -> !name.isEmpty()),
                PodRequests.of(pod),
                Objects.requireNonNullElse(spec.getTolerations(), List.of()),
                NodeSelection.of(spec),
                hostPorts(spec),
                affinity.map(Affinity::getPodAffinity)
                        .map(rules -> PodTerm.all(
                                rules.getRequiredDuringSchedulingIgnoredDuringExecution(), namespace, labels))
                        .orElse(List.of()),
                affinity.map(Affinity::getPodAntiAffinity)
                        .map(rules -> PodTerm.all(
                                rules.getRequiredDuringSchedulingIgnoredDuringExecution(), namespace, labels))
                        .orElse(List.of()),
                TopologySpread.rules(spec.getTopologySpreadConstraints(), labels));
    }

    /** The same pod without its requests for these resources: for a door that counts them itself. */
    public PodNeeds withoutRequests(Set<String> resources) {
        var rest = new HashMap<>(requests.amounts());
        rest.keySet().removeAll(resources);
        return new PodNeeds(
                namespace,
                name,
                uid,
                labels,
                terminating,
                nodeName,
                new Resources(rest),
                tolerations,
                selection,
                hostPorts,
                affinity,
                antiAffinity,
                spread);
    }

    private static Set<HostPort> hostPorts(PodSpec spec) {
        var containers = new ArrayList<Container>(Objects.requireNonNullElse(spec.getContainers(), List.of()));
        // A sidecar holds its ports as long as the pod lives; an ordinary init container is done before they count.
        Objects.requireNonNullElse(spec.getInitContainers(), List.<Container>of()).stream()
                .filter(container -> "Always".equals(container.getRestartPolicy()))
                .forEach(containers::add);
        var ports = new HashSet<HostPort>();
        for (var container : containers) {
            for (var port : Objects.requireNonNullElse(container.getPorts(), List.<ContainerPort>of())) {
                if (taken(port.getHostPort())) {
                    ports.add(HostPort.of(port));
                }
            }
        }
        return ports;
    }

    private static boolean taken(@Nullable Integer port) {
        return port != null && port > 0;
    }
}
