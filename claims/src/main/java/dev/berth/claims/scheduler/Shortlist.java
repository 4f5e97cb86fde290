package dev.berth.claims.scheduler;

import dev.berth.core.NodeName;
import dev.berth.core.demand.NodeFit;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.fit.Unfit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The nodes that can take a pod whatever its devices; remembers what speaks against the others. */
final class Shortlist implements NodeFit {
    private static final Unfit UNKNOWN = new Unfit("unknown-node", "node(s) were not known", "");

    private final Fit fit;
    private final NodeRooms rooms;
    private final Map<NodeName, List<Unfit>> unfit = new ConcurrentHashMap<>();

    Shortlist(Fit fit, NodeRooms rooms) {
        this.fit = fit;
        this.rooms = rooms;
    }

    @Override
    public Optional<String> refuses(NodeName node) {
        var reasons = rooms.find(node).map(fit::against).orElse(List.of(UNKNOWN));
        if (reasons.isEmpty()) {
            return Optional.empty();
        }
        unfit.put(node, List.copyOf(reasons));
        return Optional.of(reasons.stream().map(Unfit::words).collect(Collectors.joining(", ")));
    }

    /** What the node itself lacks; nothing if it was its devices that spoke against it. */
    List<Unfit> against(NodeName node) {
        return unfit.getOrDefault(node, List.of());
    }
}
