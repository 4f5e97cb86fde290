package dev.berth.claims.demand;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ClaimStatus;
import dev.berth.claims.api.Detail;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.api.Group;
import dev.berth.claims.api.Metadata;
import dev.berth.claims.api.PodClaims;
import dev.berth.core.NodeName;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.NodeFit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Turns what pods say about claims into demands. */
public final class PodPlans {
    private final Classes classes;
    private final Lookup lookup;

    public PodPlans(Classes classes, Lookup lookup) {
        this.classes = classes;
        this.lookup = lookup;
    }

    /** A pod, as far as its claims need it. The uid is empty where no server has stored it. */
    public record PodIdentity(String namespace, String name, String uid) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** The demand of a pod without claims. */
    public static PodPlan withoutClaims(PodIdentity pod, NodeFit nodes) {
        return new PodPlan(new Demand(pod.toString(), List.of(), List.of(), nodes), List.of());
    }

    /**
     * The demand of a pod with claims.
     *
     * @param nodes what else must be true of the pod's node
     * @throws UnmetException if something is missing that no node can make up for
     */
    public PodPlan plan(PodIdentity pod, PodClaims podClaims, NodeFit nodes) throws UnmetException {
        List<PlannedClaim> claims = new ArrayList<>();
        switch (podClaims.source()) {
            case PodClaims.Direct(var entries) -> {
                for (var entry : entries) {
                    claims.add(ownClaim(pod, direct(pod, entry), entry.name()));
                }
            }
            case PodClaims.Shared(var name) -> claims.add(shared(pod, name));
            case PodClaims.Template template ->
                claims.add(ownClaim(pod, fromTemplate(pod, template), template.claimName()));
        }
        checkNames(podClaims, claims);
        return planned(pod, claims, nodes);
    }

    private PodPlan planned(PodIdentity pod, List<PlannedClaim> claims, NodeFit nodes) throws UnmetException {
        List<PlannedClaim> planned = new ArrayList<>();
        List<Ask> asks = new ArrayList<>();
        List<Constraint> constraints = new ArrayList<>();
        NodeFit fit = nodes;
        var names = new HashSet<String>();
        for (PlannedClaim claim : claims) {
            if (claim.claim().status().isAllocated()) {
                planned.add(claim);
                fit = pinned(fit, claim.claim());
                continue;
            }
            var parts = new ClaimAsks(classes, names).of(claim.claim());
            asks.addAll(parts.asks());
            constraints.addAll(parts.constraints());
            planned.add(new PlannedClaim(claim.claim(), claim.isNew(), claim.privileged(), parts.planned()));
        }
        return new PodPlan(new Demand(pod.toString(), asks, constraints, fit), planned);
    }

    /** A claim that has its devices keeps its pods on their node. */
    private NodeFit pinned(NodeFit nodes, DeviceClaim claim) throws UnmetException {
        Set<NodeName> places = new TreeSet<>();
        for (ClaimStatus.Allocation allocation : claim.status().allocations()) {
            var pool = lookup.pool(allocation.devicePoolName())
                    .orElseThrow(() -> new UnmetException("the claim %s has devices of the pool %s, which is gone"
                            .formatted(claim.metadata().full(), allocation.devicePoolName())));
            pool.nodeName().map(NodeName::new).ifPresent(places::add);
        }
        if (places.isEmpty()) {
            return nodes;
        }
        if (places.size() > 1) {
            throw new UnmetException("the claim %s has devices on several nodes: %s"
                    .formatted(claim.metadata().full(), places));
        }
        NodeName only = places.iterator().next();
        String why =
                "the devices of claim %s are on %s".formatted(claim.metadata().full(), only);
        return node -> node.equals(only) ? nodes.refuses(node) : Optional.of(why);
    }

    private PlannedClaim shared(PodIdentity pod, String name) throws UnmetException {
        Optional<DeviceClaim> claim = lookup.claim(pod.namespace(), name);
        if (claim.isPresent()) {
            return new PlannedClaim(claim.get(), false, Optional.empty(), List.of());
        }
        Optional<DevicePrivilegedClaim> privileged = lookup.privilegedClaim(pod.namespace(), name);
        return privileged
                .map(each -> new PlannedClaim(each.asClaim(), false, privileged, List.of()))
                .orElseThrow(
                        () -> new UnmetException("the claim %s/%s does not exist".formatted(pod.namespace(), name)));
    }

    private DeviceClaim direct(PodIdentity pod, PodClaims.Direct.Entry entry) {
        var instance = new DeviceClaim.Instance(entry.name(), List.of(Detail.ofClass(entry.deviceClass())), List.of());
        return new DeviceClaim(
                Metadata.named(pod.namespace(), ClaimNames.of(pod.name(), entry.name())),
                new DeviceClaim.Spec(List.of(), List.of(), List.of(instance)),
                ClaimStatus.EMPTY);
    }

    private DeviceClaim fromTemplate(PodIdentity pod, PodClaims.Template template) throws UnmetException {
        DeviceClaim original = lookup.claim(pod.namespace(), template.claimName())
                .orElseThrow(() -> new UnmetException("the claim %s/%s, named as a template, does not exist"
                        .formatted(pod.namespace(), template.claimName())));
        String name = template.name().orElseGet(() -> ClaimNames.ofTemplate(pod.name(), template.claimName()));
        if (name.equals(template.claimName())) {
            throw new UnmetException("the claim %s cannot be its own template".formatted(name));
        }
        var metadata = Metadata.named(pod.namespace(), name);
        template.labels().forEach(metadata.all().withObjectProperty("labels")::put);
        template.annotations().forEach(metadata.all().withObjectProperty("annotations")::put);
        if (template.labels().isEmpty()) {
            metadata.all().remove("labels");
        }
        return new DeviceClaim(metadata, original.spec(), ClaimStatus.EMPTY);
    }

    /** A claim that belongs to the pod: there from an earlier try, or to be made. */
    private PlannedClaim ownClaim(PodIdentity pod, DeviceClaim wanted, String podClaimName) throws UnmetException {
        Optional<DeviceClaim> there =
                lookup.claim(pod.namespace(), wanted.metadata().name());
        if (there.isPresent()) {
            if (!ClaimNames.isOf(there.get(), pod, podClaimName)) {
                throw new UnmetException("the claim %s is in the way: it was not made for this pod"
                        .formatted(wanted.metadata().full()));
            }
            return new PlannedClaim(there.get(), false, Optional.empty(), List.of());
        }
        ObjectNode metadata = wanted.metadata().all();
        metadata.withObjectProperty("annotations").put(Group.POD_CLAIM_ANNOTATION, podClaimName);
        var owner = metadata.putArray("ownerReferences").addObject();
        owner.put("apiVersion", "v1").put("kind", "Pod").put("name", pod.name());
        if (!pod.uid().isEmpty()) {
            owner.put("uid", pod.uid()).put("controller", true);
        }
        return new PlannedClaim(wanted, true, Optional.empty(), List.of());
    }

    /** Every name that a container uses is one of the claims'. */
    private static void checkNames(PodClaims podClaims, List<PlannedClaim> claims) throws UnmetException {
        Set<String> known = new TreeSet<>();
        claims.forEach(planned -> planned.claim().spec().devices().forEach(each -> known.add(each.name())));
        for (var container : podClaims.containers().entrySet()) {
            for (String used : container.getValue()) {
                if (!known.contains(used)) {
                    throw new UnmetException("the container %s uses %s, which is not claimed; claimed are %s"
                            .formatted(container.getKey(), used, String.join(", ", known)));
                }
            }
        }
    }
}
