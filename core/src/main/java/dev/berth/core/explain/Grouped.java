package dev.berth.core.explain;

import dev.berth.core.NodeName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Objections of many nodes, told together: the commonest first. */
public record Grouped(List<Group> groups) {
    /** Nodes that the same speaks against. */
    public record Group(String words, Objection.Kind kind, List<NodeName> nodes) {
        public Group {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String toString() {
            return nodes.size() == 1
                    ? "%s: %s".formatted(nodes.getFirst(), words)
                    : "%d nodes: %s".formatted(nodes.size(), words);
        }
    }

    public Grouped {
        groups = List.copyOf(groups);
    }

    public static Grouped of(Map<NodeName, Objection> objections) {
        Map<String, List<NodeName>> nodes = new TreeMap<>();
        Map<String, Objection.Kind> kinds = new TreeMap<>();
        new TreeMap<>(objections).forEach((node, objection) -> {
            nodes.computeIfAbsent(objection.group(), _ -> new ArrayList<>()).add(node);
            kinds.putIfAbsent(objection.group(), objection.kind());
        });
        var groups = new ArrayList<Group>();
        nodes.forEach(
                (words, named) -> groups.add(new Group(words, kinds.getOrDefault(words, Objection.Kind.NODE), named)));
        groups.sort(
                Comparator.comparingInt((Group group) -> -group.nodes().size()).thenComparing(Group::words));
        return new Grouped(groups);
    }

    /** The node on which the least would have to change. */
    public static Optional<NodeName> nearest(Map<NodeName, Objection> objections) {
        return objections.entrySet().stream()
                .min(Comparator.comparing((Map.Entry<NodeName, Objection> each) ->
                                each.getValue().kind())
                        .thenComparingInt(each -> each.getValue().missing())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey);
    }

    @Override
    public String toString() {
        return groups.stream().map(Group::toString).collect(Collectors.joining("; "));
    }
}
