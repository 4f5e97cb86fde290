package dev.berth.claims.scheduler;

import dev.berth.claims.demand.ClaimEntries;
import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.claims.demand.PlannedClaim;
import dev.berth.claims.demand.PodPlan;
import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.Quantity;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A place was found for a pod; nothing is written yet. */
record Decided(Pod pod, PodNeeds needs, PodPlan plan, Inventory inventory, Ledger ledger, Placement placement)
        implements Bid {
    @Override
    public Demand demand() {
        return plan.demand();
    }

    @Override
    public Set<String> holders() {
        return plan.claims().stream()
                .map(claim -> claim.claim().metadata().uid())
                .collect(Collectors.toSet());
    }

    @Override
    public List<Line> lines(Placement taken, Instant expires) {
        return lines(taken, plan.claims(), needs.name(), expires);
    }

    /** The same with the pod's claims as they are on the server by now. */
    Decided with(List<PlannedClaim> claims) {
        return new Decided(pod, needs, new PodPlan(plan.demand(), claims), inventory, ledger, placement);
    }

    /** What the placement takes, as lines of the ledger: nothing for what is only looked after. */
    static List<Line> lines(Placement placement, List<PlannedClaim> claims, String podName, Instant expires) {
        var lines = new ArrayList<Line>();
        for (var claim : claims) {
            var status = claim.claim().status().usedBy(podName);
            var holder = ClaimEntries.holder(claim.claim().withStatus(status));
            Map<DeviceId, Grant> first = new LinkedHashMap<>();
            Map<DeviceId, Share> shares = new LinkedHashMap<>();
            for (var grant : placement.grants()) {
                if (claim.asks(grant.ask()) && !grant.admin()) {
                    first.putIfAbsent(grant.device().id(), grant);
                    shares.merge(grant.device().id(), grant.share(), Decided::together);
                }
            }
            first.forEach((device, grant) -> lines.add(line(grant, holder, shares.get(device), expires)));
        }
        return lines;
    }

    private static Line line(
            Grant grant, Holder holder, @org.jspecify.annotations.Nullable Share share, Instant expires) {
        var all = share == null ? grant.share() : share;
        return new Line(grant.place(), Entry.assumed(grant.device().id(), holder, all, expires));
    }

    /** Two parts of one device in one claim are one holding. */
    private static Share together(Share one, Share other) {
        if (one instanceof Share.Part(var some) && other instanceof Share.Part(var more)) {
            var sum = new TreeMap<String, Quantity>(some);
            more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
            return new Share.Part(sum);
        }
        return Share.WHOLE;
    }
}
