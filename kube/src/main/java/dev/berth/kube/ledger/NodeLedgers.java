package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Function;

/** The ledgers of all nodes. */
public sealed interface NodeLedgers extends AutoCloseable permits SharedNodeLedgers, NamedLedgers, OwnNodeLedgers {
    /**
     * Those that all doors share where the API server has them, else this process's own; given how many devices nodes
     * have.
     */
    static NodeLedgers served(Cluster cluster, Function<NodeName, OptionalInt> deviceCount) {
        return NodeLedgerDefinition.served(cluster)
                ? new SharedNodeLedgers(cluster, deviceCount)
                : new OwnNodeLedgers();
    }

    /** Runs a decision on a node's newest holdings and writes what it says, unless somebody else changed them first. */
    <T> LedgerOutcome<T> decide(NodeName node, Decision<T> decision, Duration within);

    /** Who holds what on this node, now. */
    Holdings read(NodeName node);

    /**
     * Who holds what on all nodes, as far as this process has heard: good for choosing a node, not for promising one.
     */
    Ledger ledger();

    /** Calls this whenever a page of {@link #ledger()} becomes another, in order; it must not wait for anything. */
    void onChange(Turned listener);

    /** A page that became another. */
    @FunctionalInterface
    interface Turned {
        void page(NodeName place, Holdings before, Holdings after);
    }

    /**
     * Reads the ledgers of all nodes, so that {@link #ledger()} is no older than this call: for a refusal that rests on
     * many nodes.
     */
    Ledger refresh(Duration within);

    /** What is published about this node's cards, or who holds some of them by number, may be another now. */
    default void renamed(NodeName node) {}

    /** Whether {@link #ledger()} is complete. */
    boolean synced();

    @Override
    void close();
}
