package dev.berth.kube.fit;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a pod stands to the pods that are there: counted once for the whole cluster, then asked for each node. The counts
 * cost a look at every pod only for a pod that has such rules itself.
 */
public final class Neighbours {
    static final String CODE = "pod-affinity";
    static final String AFFINITY = "node(s) didn't match pod affinity rules";
    static final String ANTI_AFFINITY = "node(s) didn't match pod anti-affinity rules";
    static final String OTHERS_ANTI_AFFINITY = "node(s) didn't satisfy existing pods anti-affinity rules";

    /** A part of the cluster: all nodes whose label has this value. */
    record Place(String key, String value) {}

    private final PodNeeds pod;
    private final boolean meansItself;
    private final Map<Place, Integer> wanted = new HashMap<>();
    private final Map<Place, Integer> shunned = new HashMap<>();
    private final Map<Place, PodNeeds> closed = new HashMap<>();

    private Neighbours(PodNeeds pod, Map<String, String> ownNamespaceLabels) {
        this.pod = pod;
        this.meansItself = pod.affinity().stream().allMatch(term -> term.means(pod, ownNamespaceLabels));
    }

    /** @param namespaceLabels the labels of each namespace; empty for one that is not known */
    public static Neighbours of(
            PodNeeds pod, Iterable<NodeRoom> nodes, Function<String, Map<String, String>> namespaceLabels) {
        var own = namespaceLabels.apply(pod.namespace());
        var neighbours = new Neighbours(pod, own);
        boolean hasRules = !pod.affinity().isEmpty() || !pod.antiAffinity().isEmpty();
        for (var node : nodes) {
            for (var other : node.shunning()) {
                neighbours.keepAway(node, other, own);
            }
            if (hasRules) {
                for (var other : node.pods().values()) {
                    neighbours.count(node, other, namespaceLabels.apply(other.namespace()));
                }
            }
        }
        return neighbours;
    }

    private void keepAway(NodeRoom node, PodNeeds other, Map<String, String> ownNamespaceLabels) {
        for (var term : other.antiAffinity()) {
            if (!other.uid().equals(pod.uid()) && term.means(pod, ownNamespaceLabels)) {
                place(node, term.topologyKey()).ifPresent(place -> closed.putIfAbsent(place, other));
            }
        }
    }

    private void count(NodeRoom node, PodNeeds other, Map<String, String> namespaceLabels) {
        if (!pod.affinity().isEmpty() && pod.affinity().stream().allMatch(term -> term.means(other, namespaceLabels))) {
            pod.affinity()
                    .forEach(term ->
                            place(node, term.topologyKey()).ifPresent(place -> wanted.merge(place, 1, Integer::sum)));
        }
        for (var term : pod.antiAffinity()) {
            if (term.means(other, namespaceLabels)) {
                place(node, term.topologyKey()).ifPresent(place -> shunned.merge(place, 1, Integer::sum));
            }
        }
    }

    private static Optional<Place> place(NodeRoom node, String key) {
        return Optional.ofNullable(node.labels().get(key)).map(value -> new Place(key, value));
    }

    /** Are those near that the pod wants near, and those far that one of the two wants far? */
    public Optional<Unfit> check(NodeRoom node) {
        if (!nearWanted(node)) {
            return Optional.of(new Unfit(CODE, AFFINITY, ""));
        }
        for (var term : pod.antiAffinity()) {
            var place = place(node, term.topologyKey());
            if (place.isPresent() && shunned.containsKey(place.get())) {
                var where = place.get();
                return Optional.of(new Unfit(
                        CODE,
                        ANTI_AFFINITY,
                        "%d in %s=%s".formatted(shunned.getOrDefault(where, 0), where.key(), where.value())));
            }
        }
        return closed.isEmpty() ? Optional.empty() : closedBy(node);
    }

    private Optional<Unfit> closedBy(NodeRoom node) {
        for (var label : node.labels().entrySet()) {
            var other = closed.get(new Place(label.getKey(), label.getValue()));
            if (other != null) {
                return Optional.of(
                        new Unfit(CODE, OTHERS_ANTI_AFFINITY, "%s/%s".formatted(other.namespace(), other.name())));
            }
        }
        return Optional.empty();
    }

    private boolean nearWanted(NodeRoom node) {
        var places = pod.affinity().stream()
                .map(term -> place(node, term.topologyKey()))
                .toList();
        if (places.stream().anyMatch(Optional::isEmpty)) {
            return false;
        }
        if (places.stream().allMatch(place -> wanted.containsKey(place.orElseThrow()))) {
            return true;
        }
        // The first of a series that wants its own kind near has to start somewhere.
        return wanted.isEmpty() && meansItself;
    }
}
