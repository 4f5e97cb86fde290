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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a node can take the pod, its GPUs aside. What a node does not say is not held against it: one that was made
 * by hand has no conditions and no capacity.
 */
final class Fitness implements NodeFit {
    private static final String GPU = "nvidia.com/gpu";

    private final PodNeeds pod;
    private final NodeRooms rooms;
    private final List<Map.Entry<String, Long>> wanted;

    Fitness(PodNeeds pod, NodeRooms rooms) {
        this.pod = pod;
        this.rooms = rooms;
        // GPUs are counted by their Leases: the number that a device plugin offers knows nothing of those.
        this.wanted = pod.requests().amounts().entrySet().stream()
                .filter(request -> request.getValue() > 0)
                .filter(request ->
                        !request.getKey().equals(GPU) && !request.getKey().equals(Resources.PODS))
                .toList();
    }

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
        for (var request : wanted) {
            var resource = request.getKey();
            if (request.getValue()
                    > node.allocatable().of(resource) - node.taken().of(resource)) {
                return Optional.of(new Unfit("resources", "Insufficient " + resource, ""));
            }
        }
        return Optional.empty();
    }
}
