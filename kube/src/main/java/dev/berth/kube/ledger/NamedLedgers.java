package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.card.CardNames;
import dev.berth.kube.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The ledgers that all doors share, in one door's own names: what others hold stands on the cards that this door knows,
 * and what this door writes the others understand.
 */
public final class NamedLedgers implements NodeLedgers {
    private final NodeLedgers written;
    private final DoorCards cards;
    private final Map<NodeName, CardNames> names = new ConcurrentHashMap<>();
    private final List<Turned> listeners = new CopyOnWriteArrayList<>();
    /** Written under the lock of this object alone. */
    private volatile Ledger ledger = Ledger.EMPTY;

    NamedLedgers(NodeLedgers written, DoorCards cards) {
        this.written = written;
        this.cards = cards;
        written.onChange((page, _, _) -> turn(page));
        written.ledger().byNode().keySet().forEach(this::turn);
    }

    /** Ledgers in the API server as this door sees them. */
    public static NamedLedgers shared(Cluster cluster, DoorCards cards) {
        return new NamedLedgers(new SharedNodeLedgers(cluster, cards::count), cards);
    }

    @Override
    public <T> LedgerOutcome<T> decide(NodeName node, Decision<T> decision, Duration within) {
        return written.decide(
                node,
                page -> {
                    var there = names(node);
                    var holdings = there.inward(page, cards.guests(node));
                    var decided = decision.on(holdings);
                    return new Decision.Decided<>(there.outward(page, holdings, decided.holdings()), decided.answer());
                },
                within);
    }

    @Override
    public Holdings read(NodeName node) {
        return inward(node, written.read(node));
    }

    private Holdings inward(NodeName node, Holdings page) {
        return names(node).inward(page, cards.guests(node));
    }

    private CardNames names(NodeName node) {
        return names.computeIfAbsent(node, cards::names);
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Ledger refresh(Duration within) {
        written.refresh(within);
        return ledger;
    }

    @Override
    public void onChange(Turned listener) {
        listeners.add(listener);
    }

    @Override
    public void renamed(NodeName node) {
        names.remove(node);
        turn(node);
    }

    private synchronized void turn(NodeName node) {
        var before = ledger.of(node);
        var after = inward(node, written.ledger().of(node));
        if (!after.equals(before)) {
            ledger = ledger.with(node, after);
            listeners.forEach(listener -> listener.page(node, before, after));
        }
    }

    @Override
    public boolean synced() {
        return written.synced();
    }

    @Override
    public void close() {
        written.close();
    }
}
