package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a pod wants by its {@code nodeSelector} and its required node affinity: all labels of the one, and any
 * term of the other.
 *
 * @param terms empty for a pod without required node affinity; one without terms selects no node
 */
public record NodeSelection(Map<String, String> labels, Optional<List<Term>> terms) {
    static final String CODE = "node-affinity";
    static final String NO_MATCH = "node(s) didn't match Pod's node affinity/selector";

    private static final String NAME_FIELD = "metadata.name";

    public NodeSelection {
        labels = Map.copyOf(labels);
    }

    /** Conditions that must all hold. */
    public record Term(List<LabelRule> labels, List<LabelRule> fields) {
        public Term {
            labels = List.copyOf(labels);
            fields = List.copyOf(fields);
        }

        boolean matches(NodeRoom node) {
            return labels.stream().allMatch(rule -> rule.matches(node.labels()))
                    && fields.stream()
                            .allMatch(rule ->
                                    rule.matches(Map.of(NAME_FIELD, node.name().value())));
        }
    }

    public static NodeSelection of(PodSpec spec) {
        var terms = Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .map(NodeSelector::getNodeSelectorTerms)
                .map(NodeSelection::terms);
        return new NodeSelection(Objects.requireNonNullElse(spec.getNodeSelector(), Map.of()), terms);
    }

    /** The nodes that a selector of its own means, such as that of a slice or of an allocation. */
    public static NodeSelection of(NodeSelector selector) {
        return new NodeSelection(Map.of(), Optional.of(terms(selector.getNodeSelectorTerms())));
    }

    private static List<Term> terms(List<NodeSelectorTerm> written) {
        var terms = new ArrayList<Term>();
        for (var term : written) {
            var rules = rules(term.getMatchExpressions());
            var fields = rules(term.getMatchFields());
            // An empty term selects nothing.
            if (!rules.isEmpty() || !fields.isEmpty()) {
                terms.add(new Term(rules, fields));
            }
        }
        return List.copyOf(terms);
    }

    private static List<LabelRule> rules(@Nullable List<NodeSelectorRequirement> written) {
        return Objects.requireNonNullElse(written, List.<NodeSelectorRequirement>of()).stream()
                .map(rule -> LabelRule.of(rule.getKey(), rule.getOperator(), rule.getValues()))
                .toList();
    }

    public boolean matches(NodeRoom node) {
        return (labels.isEmpty() || hasLabels(node.labels()))
                && (terms.isEmpty() || terms.get().stream().anyMatch(term -> term.matches(node)));
    }

    /** By key: a set of entries would be searched from its beginning for each. */
    private boolean hasLabels(Map<String, String> there) {
        for (var wanted : labels.entrySet()) {
            if (!wanted.getValue().equals(there.get(wanted.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Does the node match the pod's selector and required affinity? */
    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        return pod.selection().matches(node)
                ? Optional.empty()
                : Optional.of(new Unfit(CODE, NO_MATCH, pod.selection().missing(node)));
    }

    private String missing(NodeRoom node) {
        for (var wanted : labels.entrySet()) {
            var found = node.labels().get(wanted.getKey());
            if (!wanted.getValue().equals(found)) {
                return "wants %s=%s, %s"
                        .formatted(wanted.getKey(), wanted.getValue(), found == null ? "not set" : "is " + found);
            }
        }
        if (terms.isEmpty() || terms.get().isEmpty()) {
            return "no term selects any node";
        }
        return terms.get().getFirst().labels().stream()
                .filter(rule -> !rule.matches(node.labels()))
                .findFirst()
                .map(rule -> "wants " + rule.words())
                .orElse("");
    }
}
