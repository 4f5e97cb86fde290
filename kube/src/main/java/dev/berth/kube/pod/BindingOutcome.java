package dev.berth.kube.pod;

/** How a binding ended. A server that could not be reached in time is an exception instead. */
public sealed interface BindingOutcome {
    /** The pod is bound where we asked. */
    record Bound() implements BindingOutcome {}

    /** Somebody bound it before, to this node. */
    record AlreadyBound(String node) implements BindingOutcome {}

    /** The pod is deleted, being deleted, or another pod of that name. */
    record Gone() implements BindingOutcome {}

    /** The server says no, for this reason. */
    record Refused(String reason) implements BindingOutcome {}
}
