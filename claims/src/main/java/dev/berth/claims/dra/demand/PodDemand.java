package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.cel.Selector;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.Stock;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.NodeFit;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.NodeSelection;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;

/** What a pod's claims come to: a demand for the engine, and the claims that its answer is written to. */
public record PodDemand(Demand demand, List<PlannedClaim> claims) {
    private static final int MOST_CONSUMERS = 256;

    public PodDemand {
        claims = List.copyOf(claims);
    }

    /** The world that a demand is made for. */
    public record Surroundings(
            Function<String, Optional<DeviceClass>> classes,
            Stock stock,
            Inventory inventory,
            Function<NodeName, Optional<NodeRoom>> rooms) {}

    /**
     * @param pod its namespace and name
     * @param uid empty where no server has stored the pod
     * @param claims by what the pod calls them, in the pod's order
     * @param nodes what else must be true of the pod's node
     * @throws UnusableClaimException if something is wrong that no node can make up for
     */
    public static PodDemand of(
            String pod, String uid, SequencedMap<String, ResourceClaim> claims, Surroundings around, NodeFit nodes)
            throws UnusableClaimException {
        var collected = new ClaimDemand(around.classes(), claims.size() == 1);
        List<PlannedClaim> planned = new ArrayList<>();
        NodeFit fit = nodes;
        for (var entry : claims.entrySet()) {
            var claim = entry.getValue();
            if (claim.getMetadata().getDeletionTimestamp() != null) {
                throw new UnusableClaimException("resourceclaim \"%s\" is being deleted"
                        .formatted(claim.getMetadata().getName()));
            }
            var known = new PlannedClaim(entry.getKey(), claim, Map.of());
            if (known.allocated()) {
                checkConsumers(claim, uid);
                planned.add(known);
                fit = where(claim, fit, around);
            } else {
                planned.add(collected.add(entry.getKey(), claim));
            }
        }
        fit = whole(collected.asks(), fit, around);
        return new PodDemand(new Demand(pod, collected.asks(), collected.constraints(), fit), planned);
    }

    private static void checkConsumers(ResourceClaim claim, String uid) throws UnusableClaimException {
        var consumers = Given.list(claim.getStatus().getReservedFor());
        boolean already = consumers.stream().anyMatch(consumer -> uid.equals(consumer.getUid()));
        if (consumers.size() >= MOST_CONSUMERS && !already) {
            throw new UnusableClaimException("resourceclaim \"%s\" is in use by %d others already"
                    .formatted(claim.getMetadata().getName(), MOST_CONSUMERS));
        }
    }

    /** A claim that has its devices keeps its pods where these can be used. */
    private static NodeFit where(ResourceClaim claim, NodeFit nodes, Surroundings around) {
        var selector = claim.getStatus().getAllocation().getNodeSelector();
        if (selector == null) {
            return nodes;
        }
        var selection = NodeSelection.of(selector);
        String why = "resourceclaim %s is not available on the node"
                .formatted(claim.getMetadata().getName());
        return node -> around.rooms().apply(node).filter(selection::matches).isPresent()
                ? nodes.refuses(node)
                : Optional.of(why);
    }

    /** All devices can be asked for only where all are known, and each can be judged. */
    private static NodeFit whole(List<Ask> asks, NodeFit nodes, Surroundings around) {
        var wanted = new ArrayList<RequestFilter>();
        var names = new ArrayList<String>();
        for (var ask : asks) {
            ask.choices().stream()
                    .filter(choice -> choice.count() instanceof Count.All)
                    .forEach(choice -> {
                        wanted.add((RequestFilter) choice.filter());
                        names.add(ask.name());
                    });
        }
        if (wanted.isEmpty()) {
            return nodes;
        }
        return node -> nodes.refuses(node).or(() -> {
            for (var trouble : around.stock().troubles(node).entrySet()) {
                return Optional.of("request %s: asks for all devices, but resource pool %s is %s"
                        .formatted(names.getFirst(), trouble.getKey(), trouble.getValue()));
            }
            for (var device : around.inventory().devices(node)) {
                for (var filter : wanted) {
                    if (filter.ask(device) instanceof Selector.Answer.Failed(var why)) {
                        return Optional.of(why);
                    }
                }
            }
            return Optional.empty();
        });
    }
}
