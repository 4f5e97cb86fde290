package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ledgers in this process's memory alone: safe for one replica of one door, rebuilt from the cluster after a restart.
 */
public final class OwnNodeLedgers implements NodeLedgers {
    private final List<Turned> listeners = new CopyOnWriteArrayList<>();
    private volatile Ledger ledger = Ledger.EMPTY;

    @Override
    public synchronized <T> LedgerOutcome<T> decide(NodeName node, Decision<T> decision, Duration within) {
        var before = ledger.of(node);
        var decided = decision.on(before);
        if (!decided.holdings().equals(before)) {
            ledger = ledger.with(node, decided.holdings());
            listeners.forEach(listener -> listener.page(node, before, decided.holdings()));
        }
        return new LedgerOutcome.Settled<>(decided.answer());
    }

    @Override
    public Holdings read(NodeName node) {
        return ledger.of(node);
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public void onChange(Turned listener) {
        listeners.add(listener);
    }

    @Override
    public Ledger refresh(Duration within) {
        return ledger;
    }

    @Override
    public boolean synced() {
        return true;
    }

    @Override
    public void close() {}
}
