package dev.berth.advisor.cluster;

import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.NodeSelection;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The types of GPU that a cluster's nodes are labelled with. Immutable; a change of a node makes a new one.
 *
 * @param all in the order in which they are tried: equally good ones go by it
 * @param labels by type, the node label that carries it
 * @param nodes those that are labelled
 */
public record GpuTypes(List<String> all, Map<String, String> labels, List<NodeRoom> nodes) {
    private static final List<String> PUBLISHED = List.of("A100-80GB", "A100-40GB", "L4-24GB", "H100-80GB");

    /** What is tried where no node is labelled. */
    public static final GpuTypes FIXED = new GpuTypes(PUBLISHED, Map.of(), List.of());

    public GpuTypes {
        all = List.copyOf(all);
        labels = Map.copyOf(labels);
        nodes = List.copyOf(nodes);
    }

    /**
     * What a pod may be given.
     *
     * @param selectable whether the choice may be written as a selector; otherwise no node of the pod's own liking has
     *     any of them, and one selector more would keep it waiting for ever
     */
    public record Candidates(List<String> types, boolean selectable) {}

    public static GpuTypes of(Collection<Node> nodes) {
        var labelled = nodes.stream()
                .map(NodeRoom::empty)
                .filter(node -> typeOf(node.labels()).isPresent())
                .sorted(Comparator.comparing(node -> node.name().value()))
                .toList();
        var open = labelled.stream().filter(node -> !node.unschedulable()).toList();
        var counted = open.isEmpty() ? labelled : open;
        if (counted.isEmpty()) {
            return FIXED;
        }
        var labels = new HashMap<String, String>();
        counted.forEach(node -> typeOf(node.labels()).ifPresent(type -> {
            if (type.equals(node.labels().get(Keys.GPU_CLASS))) {
                labels.put(type, Keys.GPU_CLASS);
            } else {
                labels.putIfAbsent(type, Keys.GPU_PRODUCT);
            }
        }));
        return new GpuTypes(ordered(labels.keySet()), labels, counted);
    }

    /** The type that a node with these labels has. */
    public static Optional<String> typeOf(Map<String, String> labels) {
        return Keys.GPU_LABELS.stream()
                .map(key -> labels.getOrDefault(key, ""))
                .filter(Predicate.not(String::isEmpty))
                .findFirst();
    }

    /** The published list's order first, so that a cluster of those types begins as the published webhook does. */
    private static List<String> ordered(Collection<String> types) {
        return Stream.concat(
                        PUBLISHED.stream().filter(types::contains),
                        types.stream().filter(type -> !PUBLISHED.contains(type)).sorted())
                .toList();
    }

    /** All of them, for a pod that does not mind. */
    public Candidates any() {
        return new Candidates(all, true);
    }

    /** Those of the nodes that a pod's own selector and required affinity allow. */
    public Candidates on(NodeSelection wanted) {
        var named = wanted.labels().get(Keys.GPU_CLASS);
        if (named != null) {
            return new Candidates(List.of(named), true);
        }
        if (nodes.isEmpty()) {
            return any();
        }
        var allowed = new LinkedHashSet<String>();
        nodes.stream()
                .filter(wanted::matches)
                .forEach(node -> typeOf(node.labels()).ifPresent(allowed::add));
        return allowed.isEmpty() ? new Candidates(all, false) : new Candidates(ordered(allowed), true);
    }

    /** The node label by which this type is selected; empty for a type that no node has. */
    public Optional<String> labelOf(String type) {
        return nodes.isEmpty() ? Optional.of(Keys.GPU_CLASS) : Optional.ofNullable(labels.get(type));
    }
}
