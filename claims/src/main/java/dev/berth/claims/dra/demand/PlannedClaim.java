package dev.berth.claims.dra.demand;

import dev.berth.core.verdict.Grant;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Map;

/**
 * One claim of a pod, and the asks that stand for its requests.
 *
 * @param use what the pod calls the claim
 * @param requests by ask, each with its ways in their order; none where the claim has its devices already
 */
public record PlannedClaim(String use, ResourceClaim claim, Map<String, List<Request>> requests) {
    public boolean allocated() {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    public boolean asks(String ask) {
        return requests.containsKey(ask);
    }

    /** Which way to meet a request a grant belongs to. */
    public Request request(Grant grant) {
        return requests.getOrDefault(grant.ask(), List.of()).stream()
                .filter(request -> request.sub().equals(grant.choice()))
                .findFirst()
                .orElseThrow();
    }

    public String fullName() {
        return claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
    }

    /** The same for the claim as it is by now. */
    public PlannedClaim as(ResourceClaim current) {
        return new PlannedClaim(use, current, requests);
    }
}
