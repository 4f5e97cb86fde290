package dev.berth.kube.ledger;

import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The newest page of each node that this process has seen, from its own writes or from the watch. */
final class LedgerView {
    private final Map<NodeName, LedgerPage> pages = new HashMap<>();
    private final List<NodeLedgers.Turned> listeners = new CopyOnWriteArrayList<>();
    private volatile Ledger ledger = Ledger.EMPTY;

    /** Takes the page unless a newer one is known: the watch brings our own writes a second time, and late. */
    synchronized void learn(NodeName node, LedgerPage page) {
        if (knows(node, page.version())) {
            return;
        }
        pages.put(node, page);
        var before = ledger.of(node);
        if (!before.equals(page.holdings())) {
            ledger = ledger.with(node, page.holdings());
            listeners.forEach(listener -> listener.page(node, before, page.holdings()));
        }
    }

    /** Whether this version of the node's page would be no news. */
    synchronized boolean knows(NodeName node, long version) {
        var known = pages.get(node);
        return known != null && known.version() >= version;
    }

    void onChange(NodeLedgers.Turned listener) {
        listeners.add(listener);
    }

    synchronized Optional<LedgerPage> newest(NodeName node) {
        return Optional.ofNullable(pages.get(node));
    }

    Ledger ledger() {
        return ledger;
    }
}
