package dev.berth.kube.fit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** All checks for one pod, in kube-scheduler's order; made once for a pod, then asked for each node. */
public final class Fit {
    private final PodNeeds pod;
    private final TopologySpread spread;
    private final Neighbours neighbours;

    private Fit(PodNeeds pod, TopologySpread spread, Neighbours neighbours) {
        this.pod = pod;
        this.spread = spread;
        this.neighbours = neighbours;
    }

    public static Fit of(
            PodNeeds pod, Collection<NodeRoom> nodes, Function<String, Map<String, String>> namespaceLabels) {
        return new Fit(pod, TopologySpread.of(pod, nodes), Neighbours.of(pod, nodes, namespaceLabels));
    }

    /** Why this node cannot take the pod, the first reason and all shortages; empty if it can. */
    public List<Unfit> against(NodeRoom node) {
        var alone = Fit.alone(pod, node);
        if (!alone.isEmpty()) {
            return alone;
        }
        return spread.check(node).or(() -> neighbours.check(node)).map(List::of).orElse(List.of());
    }

    public boolean fits(NodeRoom node) {
        return against(node).isEmpty();
    }

    /** The checks that need no other node: what a door asks that places one pod at a time by its devices alone. */
    public static List<Unfit> alone(PodNeeds pod, NodeRoom node) {
        Optional<Unfit> first = Cordon.check(pod, node)
                .or(() -> Readiness.check(pod, node))
                .or(() -> RequestedNode.check(pod, node))
                .or(() -> Taints.check(pod, node))
                .or(() -> NodeSelection.check(pod, node))
                .or(() -> HostPort.check(pod, node));
        return first.isPresent() ? new ArrayList<>(List.of(first.get())) : FreeResources.shortages(pod, node);
    }
}
