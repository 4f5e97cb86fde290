package dev.berth.kube.pod;

/** What came of asking a pod to leave. */
public sealed interface EvictionOutcome {
    /** It is leaving, and whoever made it makes another. */
    record Evicted() implements EvictionOutcome {}

    /** It had gone already, or another has its name. */
    record Gone() implements EvictionOutcome {}

    /** A PodDisruptionBudget forbids it for now. */
    record Forbidden(String message) implements EvictionOutcome {}

    /** The API server will not, or cannot be reached. */
    record Refused(String message) implements EvictionOutcome {}
}
