package dev.berth.pinner.scheduler;

import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the node that a map means: the one that carries the label, else the one that is called so. */
public final class NodeNames {
    private final Function<String, List<Node>> labelled;
    private final Function<String, Optional<Node>> named;

    /**
     * @param labelled the nodes whose label {@code gpu-node-name} has this value
     * @param named the node of this name
     */
    public NodeNames(Function<String, List<Node>> labelled, Function<String, Optional<Node>> named) {
        this.labelled = labelled;
        this.named = named;
    }

    /** Of nodes that are all known, such as those of a file. */
    public static NodeNames of(List<Node> nodes) {
        return new NodeNames(
                value -> nodes.stream()
                        .filter(node -> label(node).contains(value))
                        .toList(),
                name -> nodes.stream()
                        .filter(node -> name.equals(node.getMetadata().getName()))
                        .findFirst());
    }

    /** A node's label, if it has one. */
    static List<String> label(Node node) {
        var labels = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
        var value = labels.get(Keys.NODE_NAME);
        return value == null || value.isEmpty() ? List.of() : List.of(value);
    }

    /** What a name stands for. */
    public sealed interface Meaning {
        record Found(Node node) implements Meaning {}

        record Nobody(String why) implements Meaning {}
    }

    public Meaning find(String name) {
        if (name.isEmpty()) {
            return new Meaning.Nobody("the line names no node");
        }
        var carriers = labelled.apply(name);
        if (carriers.size() > 1) {
            return new Meaning.Nobody("%d nodes have the label %s=%s: %s"
                    .formatted(
                            carriers.size(),
                            Keys.NODE_NAME,
                            name,
                            carriers.stream()
                                    .map(node -> node.getMetadata().getName())
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
        return carriers.stream()
                .findFirst()
                .or(() -> named.apply(name))
                .<Meaning>map(Meaning.Found::new)
                .orElseGet(() -> new Meaning.Nobody(
                        "no node has the label %s=%s, and none is called so".formatted(Keys.NODE_NAME, name)));
    }
}
