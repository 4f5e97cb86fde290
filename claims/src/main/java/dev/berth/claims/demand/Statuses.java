package dev.berth.claims.demand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ClaimStatus;
import dev.berth.claims.api.ClaimStatus.Allocation;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.demand.Classes.Leaf;
import dev.berth.claims.demand.PlannedClaim.PlannedAsk;
import dev.berth.claims.demand.PlannedClaim.PlannedChoice;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the engine's answer into the status of claims. */
public final class Statuses {
    private final Lookup lookup;

    public Statuses(Lookup lookup) {
        this.lookup = lookup;
    }

    /**
     * The claim with what it got, and this pod among those that use it.
     *
     * @throws UnmetException if settings are not there that a class or the claim names
     */
    public DeviceClaim granted(PlannedClaim planned, Placement placement, String podName) throws UnmetException {
        DeviceClaim claim = planned.claim();
        if (claim.status().isAllocated()) {
            return claim.withStatus(claim.status().usedBy(podName));
        }
        String namespace = claim.metadata().namespace();
        Set<JsonNode> classConfigs = new LinkedHashSet<>();
        Set<JsonNode> claimConfigs = new LinkedHashSet<>();
        List<Allocation> allocations = new ArrayList<>();
        for (PlannedAsk ask : planned.asks()) {
            for (Grant grant : placement.of(ask.name())) {
                PlannedChoice choice = ask.choice(grant.choice());
                allocations.add(allocation(grant));
                Optional<Leaf> leaf = choice.leaves().stream()
                        .filter(each -> each.filter().refuses(grant.device()).isEmpty())
                        .findFirst();
                if (leaf.isPresent()) {
                    for (ConfigReference config : leaf.get().definition().configs()) {
                        classConfigs.add(resolved(config, config.namespace().orElse("")));
                    }
                }
                for (ConfigReference config : choice.detail().configs()) {
                    claimConfigs.add(resolved(config, namespace));
                }
            }
        }
        return claim.withStatus(new ClaimStatus(
                List.copyOf(classConfigs),
                List.copyOf(claimConfigs),
                allocations,
                claim.status().deviceStatuses(),
                List.of(podName)));
    }

    private static Allocation allocation(Grant grant) {
        SortedMap<String, Quantity> amounts = new TreeMap<>();
        switch (grant.share()) {
            case Share.Whole() ->
                grant.device().capacities().forEach((name, capacity) -> amounts.put(name, capacity.amount()));
            case Share.Part(var parts) -> amounts.putAll(parts);
        }
        if (grant.admin()) {
            amounts.clear();
        }
        amounts.values().removeIf(Quantity.ZERO::equals);
        var id = grant.device().id();
        return new Allocation(PoolDevices.poolName(id), PoolDevices.deviceName(id), amounts, grant.admin());
    }

    private JsonNode resolved(ConfigReference reference, String namespace) throws UnmetException {
        if (reference.kind().equals("Secret") && reference.apiVersion().equals("v1")) {
            throw new UnmetException(
                    "%s cannot be settings: its content would be readable in the claim's status".formatted(reference));
        }
        JsonNode config = lookup.config(reference, namespace)
                .orElseThrow(() -> new UnmetException("the settings %s %s do not exist"
                        .formatted(
                                reference.kind(),
                                namespace.isEmpty() ? reference.name() : namespace + "/" + reference.name())));
        ObjectNode copy = config.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }
}
