package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import java.util.Optional;

/** A node's holdings at one version of its object; without an object the holdings are empty. */
record LedgerPage(Optional<NodeLedger> object, long version, Holdings holdings) {
    static final LedgerPage ABSENT = new LedgerPage(Optional.empty(), 0, Holdings.EMPTY);

    /** The page that is true once the object was removed at this version. */
    LedgerPage removed() {
        return new LedgerPage(Optional.empty(), version, Holdings.EMPTY);
    }
}
