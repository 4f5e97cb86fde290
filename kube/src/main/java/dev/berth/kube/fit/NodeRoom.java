package dev.berth.kube.fit;

import dev.berth.core.NodeName;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node offers and what the pods on it have taken of that. Immutable: a pod more or less makes a new one, with
 * the sums carried on instead of counted again.
 *
 * @param pods the pods on it that have not ended, by uid
 * @param shunning those of them that want others far away
 */
public record NodeRoom(
        NodeName name,
        Map<String, String> labels,
        boolean unschedulable,
        List<Taint> taints,
        Optional<String> ready,
        Resources allocatable,
        Map<String, PodNeeds> pods,
        List<PodNeeds> shunning,
        Resources taken) {
    public NodeRoom {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /** The node without any pods. */
    public static NodeRoom empty(Node node) {
        var spec = node.getSpec();
        var status = node.getStatus();
        var allocatable = status == null ? null : status.getAllocatable();
        return new NodeRoom(
                new NodeName(node.getMetadata().getName()),
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()),
                spec != null && Boolean.TRUE.equals(spec.getUnschedulable()),
                spec == null ? List.of() : present(spec.getTaints()),
                status == null ? Optional.empty() : ready(present(status.getConditions())),
                // A kubelet says both; a node made by hand often has its capacity only.
                Resources.of(
                        allocatable == null || allocatable.isEmpty()
                                ? (status == null ? null : status.getCapacity())
                                : allocatable),
                Map.of(),
                List.of(),
                Resources.NONE);
    }

    /** The node as it is now, with the pods that are known to be on it. */
    public NodeRoom becoming(Node node) {
        var now = empty(node);
        return new NodeRoom(
                now.name, now.labels, now.unschedulable, now.taints, now.ready, now.allocatable, pods, shunning, taken);
    }

    /** With this pod on it, in place of what was known under its uid. */
    public NodeRoom with(PodNeeds pod) {
        var before = pods.get(pod.uid());
        if (pod.equals(before)) {
            return this;
        }
        var next = new LinkedHashMap<>(pods);
        next.put(pod.uid(), pod);
        var rest = before == null ? taken : taken.minus(before.requests());
        boolean shuns = !pod.antiAffinity().isEmpty()
                || (before != null && !before.antiAffinity().isEmpty());
        return having(next, shuns, rest.plus(pod.requests()));
    }

    public NodeRoom without(String uid) {
        var pod = pods.get(uid);
        if (pod == null) {
            return this;
        }
        var next = new LinkedHashMap<>(pods);
        next.remove(uid);
        return having(next, !pod.antiAffinity().isEmpty(), taken.minus(pod.requests()));
    }

    private NodeRoom having(Map<String, PodNeeds> next, boolean othersShun, Resources sum) {
        return new NodeRoom(
                name,
                labels,
                unschedulable,
                taints,
                ready,
                allocatable,
                Collections.unmodifiableMap(next),
                othersShun
                        ? next.values().stream()
                                .filter(pod -> !pod.antiAffinity().isEmpty())
                                .toList()
                        : shunning,
                sum);
    }

    private static Optional<String> ready(List<NodeCondition> conditions) {
        return conditions.stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .map(NodeCondition::getStatus)
                .findFirst();
    }

    private static <T> List<T> present(@Nullable List<T> list) {
        return Objects.requireNonNullElse(list, List.of());
    }
}
