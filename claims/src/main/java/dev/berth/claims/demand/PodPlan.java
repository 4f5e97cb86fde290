package dev.berth.claims.demand;

import dev.berth.core.demand.Demand;
import java.util.List;

/** What a pod's claims come to: a demand for the engine, and the claims that its answer is written to. */
public record PodPlan(Demand demand, List<PlannedClaim> claims) {
    public PodPlan {
        claims = List.copyOf(claims);
    }
}
