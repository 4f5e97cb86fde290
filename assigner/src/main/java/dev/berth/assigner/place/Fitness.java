package dev.berth.assigner.place;

import dev.berth.core.NodeName;
import dev.berth.core.demand.NodeFit;
import dev.berth.kube.fit.Cordon;
import dev.berth.kube.fit.HostPort;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.fit.NodeSelection;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Readiness;
import dev.berth.kube.fit.RequestedNode;
import dev.berth.kube.fit.Resources;
import dev.berth.kube.fit.Taints;
import dev.berth.kube.fit.Unfit;
import java.util.Optional;

/**
 * Whether a node can take the pod, its GPUs aside. What a node does not say is not held against it: one that was made
 * by hand has no conditions and no capacity.
 */
record Fitness(PodNeeds pod, NodeRooms rooms) implements NodeFit {
    private static final String GPU = "nvidia.com/gpu";

    @Override
    public Optional<String> refuses(NodeName node) {
        return rooms.find(node).flatMap(this::check).map(Unfit::words);
    }

    private Optional<Unfit> check(NodeRoom node) {
        return Cordon.check(pod, node)
                .or(() -> node.ready().isEmpty() ? Optional.empty() : Readiness.check(pod, node))
                .or(() -> RequestedNode.check(pod, node))
                .or(() -> Taints.check(pod, node))
                .or(() -> NodeSelection.check(pod, node))
                .or(() -> HostPort.check(pod, node))
                .or(() -> room(node));
    }

    private Optional<Unfit> room(NodeRoom node) {
        var offered = node.allocatable().amounts();
        if (offered.containsKey(Resources.PODS) && node.pods().size() >= offered.get(Resources.PODS)) {
            return Optional.of(new Unfit("resources", "Too many pods", ""));
        }
        if (offered.isEmpty()) {
            return Optional.empty();
        }
        // GPUs are counted by their Leases: the number that a device plugin offers knows nothing of those.
        return pod.requests().amounts().entrySet().stream()
                .filter(wanted ->
                        !wanted.getKey().equals(GPU) && !wanted.getKey().equals(Resources.PODS))
                .filter(wanted -> wanted.getValue() > 0
                        && wanted.getValue()
                                > node.allocatable().of(wanted.getKey())
                                        - node.taken().of(wanted.getKey()))
                .map(wanted -> new Unfit("resources", "Insufficient " + wanted.getKey(), ""))
                .findFirst();
    }
}
