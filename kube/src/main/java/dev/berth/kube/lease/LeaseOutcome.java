package dev.berth.kube.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Instant;

/** How an attempt on a Lease ended. A failed request is an exception instead: nothing is known then. */
public sealed interface LeaseOutcome {
    /** It is ours, as this object, until it must be renewed. */
    record Acquired(Lease lease) implements LeaseOutcome {}

    /** Somebody else has it, and may keep it until then without renewing it. */
    record HeldBy(String holder, Instant until) implements LeaseOutcome {}

    /** It was ours and is no longer: gone, or in the hands of another. */
    record Lost(String why) implements LeaseOutcome {}
}
