package dev.berth.claims.dra.status;

import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.SlicePool;
import dev.berth.core.NodeName;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The nodes on which an allocation can be used: the one, where a device sits in it, or all that reach every device. */
final class NodeBounds {
    private NodeBounds() {}

    static Optional<NodeSelector> of(List<SlicePool.Published> devices, NodeName node) {
        var fields = new ArrayList<NodeSelectorRequirement>();
        var labels = new ArrayList<NodeSelectorRequirement>();
        for (var device : devices) {
            var spec = device.slice().getSpec();
            String name = device.onItsOwn() ? device.device().getNodeName() : spec.getNodeName();
            if (!Given.text(name).isEmpty() || Given.flag(device.device().getBindsToNode())) {
                return Optional.of(only(node));
            }
            var selector = device.onItsOwn() ? device.device().getNodeSelector() : spec.getNodeSelector();
            if (selector != null) {
                for (var term : Given.list(selector.getNodeSelectorTerms())) {
                    add(Given.list(term.getMatchFields()), fields);
                    add(Given.list(term.getMatchExpressions()), labels);
                }
            }
        }
        return fields.isEmpty() && labels.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelectorBuilder()
                        .addNewNodeSelectorTerm()
                        .withMatchFields(fields)
                        .withMatchExpressions(labels)
                        .endNodeSelectorTerm()
                        .build());
    }

    private static NodeSelector only(NodeName node) {
        var name = new NodeSelectorRequirementBuilder()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node.value())
                .build();
        return new NodeSelectorBuilder()
                .addNewNodeSelectorTerm()
                .withMatchFields(name)
                .endNodeSelectorTerm()
                .build();
    }

    private static void add(List<NodeSelectorRequirement> from, List<NodeSelectorRequirement> to) {
        for (var rule : from) {
            boolean there = to.stream().anyMatch(known -> same(known, rule));
            if (!there) {
                to.add(rule);
            }
        }
    }

    private static boolean same(NodeSelectorRequirement one, NodeSelectorRequirement other) {
        return Objects.equals(one.getKey(), other.getKey())
                && Objects.equals(one.getOperator(), other.getOperator())
                && new HashSet<>(Given.list(one.getValues())).equals(new HashSet<>(Given.list(other.getValues())));
    }
}
