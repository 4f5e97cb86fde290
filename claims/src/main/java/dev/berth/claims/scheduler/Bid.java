package dev.berth.claims.scheduler;

import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A place that was found for a pod, to be taken in the ledger: whichever language its claims are written in. */
interface Bid {
    Placement placement();

    Inventory inventory();

    Ledger ledger();

    Demand demand();

    /** Under which ids the claims hold: what they have already is not in their own way. */
    Set<String> holders();

    /** What a placement takes, as lines of the ledger. */
    List<Line> lines(Placement taken, Instant expires);
}
