package dev.berth.kube.ledger;

import dev.berth.core.Holdings;

/**
 * What to do about one node, given who holds what there. It is run again on newer holdings when somebody was faster, so
 * it must be quick, have no effects, and give the same answer for the same holdings.
 *
 * @param <T> the answer that the caller wants back, a refusal included
 */
@FunctionalInterface
public interface Decision<T> {
    Decided<T> on(Holdings holdings);

    /** The holdings as they should be, unchanged for a refusal, and the answer that becomes true with them. */
    record Decided<T>(Holdings holdings, T answer) {}
}
