package dev.berth.extender.board;

import dev.berth.extender.wire.Keys;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.ledger.CountedPods;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes away from nodes and pods what this door does not read: thousands of them must fit into a small heap. */
public final class Slim {
    private static final Set<String> RESOURCES = Set.of(Keys.CORES, Keys.MEMORY);

    private Slim() {}

    public static void node(Node node, GpuLabels labels) {
        var metadata = node.getMetadata();
        metadata.setAnnotations(kept(metadata.getAnnotations(), CardUuids.ANNOTATION::equals));
        metadata.setLabels(kept(metadata.getLabels(), Set.of(labels.model(), labels.pool())::contains));
        node.setSpec(new NodeSpec());
        if (node.getStatus() != null) {
            node.setStatus(new NodeStatusBuilder()
                    .withCapacity(kept(node.getStatus().getCapacity(), RESOURCES::contains))
                    .build());
        }
    }

    public static void pod(Pod pod) {
        var metadata = pod.getMetadata();
        metadata.setLabels(Map.of());
        metadata.setOwnerReferences(List.of());
        if (metadata.getAnnotations() != null) {
            var annotations = new HashMap<>(metadata.getAnnotations());
            annotations.keySet().removeIf(key -> !Keys.ours(key));
            metadata.setAnnotations(annotations);
        }
        var spec = pod.getSpec();
        pod.setSpec(new PodSpecBuilder()
                .withNodeName(spec.getNodeName())
                .withContainers(containers(spec.getContainers()))
                .withInitContainers(containers(spec.getInitContainers()))
                .build());
        if (pod.getStatus() != null) {
            pod.setStatus(new PodStatusBuilder()
                    .withPhase(pod.getStatus().getPhase())
                    // GPUs by number that are met by a claim are not counted.
                    .withExtendedResourceClaimStatus(pod.getStatus().getExtendedResourceClaimStatus())
                    .build());
        }
    }

    private static List<Container> containers(@Nullable List<Container> whole) {
        if (whole == null) {
            return List.of();
        }
        return whole.stream()
                .map(container -> {
                    var slim = new ContainerBuilder()
                            .withName(container.getName())
                            .withRestartPolicy(container.getRestartPolicy());
                    if (container.getResources() != null) {
                        slim.withResources(new ResourceRequirementsBuilder()
                                .withLimits(kept(
                                        container.getResources().getLimits(),
                                        resource -> RESOURCES.contains(resource) || CountedPods.counts(resource)))
                                .build());
                    }
                    return slim.build();
                })
                .toList();
    }

    private static <V> Map<String, V> kept(@Nullable Map<String, V> all, Predicate<String> wanted) {
        var kept = new HashMap<>(Objects.requireNonNullElse(all, Map.<String, V>of()));
        kept.keySet().removeIf(wanted.negate());
        return kept;
    }
}
