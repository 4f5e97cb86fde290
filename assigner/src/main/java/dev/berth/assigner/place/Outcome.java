package dev.berth.assigner.place;

import dev.berth.assigner.wire.Assignment;
import dev.berth.core.verdict.Refusal;

/** What became of a pod's request. */
public sealed interface Outcome {
    /** The GPUs are the pod's: Leases say so. */
    record Reserved(Assignment assignment) implements Outcome {}

    /** The API server itself was asked, and there is no such set of GPUs free. */
    record NothingFree(Refusal refusal) implements Outcome {}

    /** Nobody knows: the API server could not be asked, or would not have it written. Nothing is reserved. */
    record Undecided(String why) implements Outcome {}
}
