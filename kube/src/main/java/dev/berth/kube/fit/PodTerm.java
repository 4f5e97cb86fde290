package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Other pods, by namespace and labels, and the part of the cluster in which they count. */
public record PodTerm(PodSelection pods, Set<String> namespaces, PodSelection namespaceSelector, String topologyKey) {
    public PodTerm {
        namespaces = Set.copyOf(namespaces);
    }

    static List<PodTerm> all(@Nullable List<PodAffinityTerm> written, String namespace, Map<String, String> ownLabels) {
        return Objects.requireNonNullElse(written, List.<PodAffinityTerm>of()).stream()
                .map(term -> of(term, namespace, ownLabels))
                .toList();
    }

    private static PodTerm of(PodAffinityTerm term, String namespace, Map<String, String> ownLabels) {
        List<String> named = Objects.requireNonNullElse(term.getNamespaces(), List.of());
        var selector = PodSelection.of(term.getNamespaceSelector());
        return new PodTerm(
                // The API server writes these keys into the selector itself; files come without that.
                PodSelection.of(term.getLabelSelector())
                        .and(term.getMatchLabelKeys(), LabelRule.Operator.IN, ownLabels)
                        .and(term.getMismatchLabelKeys(), LabelRule.Operator.NOT_IN, ownLabels),
                named.isEmpty() && selector.absent() ? Set.of(namespace) : Set.copyOf(named),
                selector,
                term.getTopologyKey());
    }

    /** Whether the term means this pod, given the labels of its namespace. */
    boolean means(PodNeeds pod, Map<String, String> namespaceLabels) {
        return (namespaces.contains(pod.namespace()) || namespaceSelector.matches(namespaceLabels))
                && pods.matches(pod.labels());
    }
}
