package dev.berth.kube.ledger;

/**
 * How a decision fared.
 *
 * @param <T> the decision's answer
 */
public sealed interface LedgerOutcome<T> {
    /** The answer holds: the ledger says so, as of a moment after the decision was handed in. */
    record Settled<T>(T answer) implements LedgerOutcome<T> {}

    /** Surely not in the ledger; the reason is for people. */
    record NotWritten<T>(String reason) implements LedgerOutcome<T> {}

    /** Perhaps in the ledger: no answer came in time. What was assumed expires; the caller may also take it back. */
    record Unknown<T>(String reason) implements LedgerOutcome<T> {}
}
