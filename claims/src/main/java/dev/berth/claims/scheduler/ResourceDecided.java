package dev.berth.claims.scheduler;

import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.demand.PodDemand;
import dev.berth.claims.dra.status.Held;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.Share;
import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A place was found for a pod with claims of {@code resource.k8s.io}; nothing is written yet. */
record ResourceDecided(
        Pod pod,
        PodNeeds needs,
        PodDemand asked,
        Optional<ExtendedResources> extended,
        Inventory inventory,
        Ledger ledger,
        Placement placement)
        implements Bid {
    /** The same with these claims in place of the planned ones. */
    ResourceDecided with(List<PlannedClaim> claims) {
        return new ResourceDecided(
                pod, needs, new PodDemand(asked.demand(), claims), extended, inventory, ledger, placement);
    }

    @Override
    public Demand demand() {
        return asked.demand();
    }

    @Override
    public Set<String> holders() {
        return asked.claims().stream().map(ResourceDecided::id).collect(Collectors.toSet());
    }

    static String id(PlannedClaim claim) {
        return claim.claim().getMetadata().getUid();
    }

    @Override
    public List<Line> lines(Placement taken, Instant expires) {
        var lines = new ArrayList<Line>();
        for (var claim : asked.claims()) {
            var metadata = claim.claim().getMetadata();
            var holder =
                    new Holder(Door.CLAIMS, metadata.getNamespace(), needs.name(), id(claim), Optional.of(id(claim)));
            Map<DeviceId, Grant> grants = new LinkedHashMap<>();
            Map<DeviceId, Share> shares = new LinkedHashMap<>();
            for (var grant : taken.grants()) {
                if (claim.asks(grant.ask()) && !grant.admin()) {
                    grants.putIfAbsent(grant.device().id(), grant);
                    shares.merge(grant.device().id(), grant.share(), Held::together);
                }
            }
            grants.forEach((device, grant) -> lines.add(new Line(
                    grant.place(),
                    Entry.assumed(device, holder, shares.getOrDefault(device, grant.share()), expires))));
        }
        return lines;
    }
}
