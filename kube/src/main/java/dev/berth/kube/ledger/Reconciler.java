package dev.berth.kube.ledger;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.kube.retry.Hands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the ledgers true to what the cluster shows of one door: at once for nodes it is told of, all of them regularly.
 */
public final class Reconciler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(20);
    private static final int NODES_AT_ONCE = 4;

    private final NodeLedgers ledgers;
    private final Evidence evidence;
    private final InstantSource clock;
    private final Duration period;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Set<NodeName> told = new TreeSet<>();
    private boolean closed;
    private final Thread thread;

    private Reconciler(NodeLedgers ledgers, Evidence evidence, InstantSource clock, Duration period) {
        this.ledgers = ledgers;
        this.evidence = evidence;
        this.clock = clock;
        this.period = period;
        this.thread =
                Thread.ofVirtual().name("reconciler-" + evidence.door().label()).unstarted(this::loop);
    }

    public static Reconciler start(NodeLedgers ledgers, Evidence evidence, InstantSource clock, Duration period) {
        var reconciler = new Reconciler(ledgers, evidence, clock, period);
        reconciler.thread.start();
        return reconciler;
    }

    /** Something changed on this node: look at it soon. Never waits. */
    public void tell(NodeName node) {
        lock.lock();
        try {
            told.add(node);
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        long nextPass = System.nanoTime();
        while (true) {
            Set<NodeName> nodes;
            try {
                nodes = await(nextPass - System.nanoTime());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
            if (closed()) {
                return;
            }
            if (System.nanoTime() >= nextPass) {
                nextPass = System.nanoTime() + period.toNanos();
                nodes.addAll(ledgers.ledger().byNode().keySet());
                nodes.addAll(evidence.nodes());
            }
            try {
                reconcile(ledgers, evidence, clock, nodes);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** One look at each of these nodes. */
    public static void reconcile(
            NodeLedgers ledgers, Evidence evidence, InstantSource clock, Collection<NodeName> nodes)
            throws InterruptedException {
        Hands.each(nodes, NODES_AT_ONCE, node -> {
            try {
                reconcile(ledgers, evidence, clock, node);
            } catch (RuntimeException problem) {
                LOG.warn("node could not be reconciled and waits for the next pass: node={}", node, problem);
            }
        });
    }

    private Set<NodeName> await(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (told.isEmpty() && !closed && left > 0) {
                left = work.awaitNanos(left);
            }
            var nodes = new HashSet<>(told);
            told.clear();
            return nodes;
        } finally {
            lock.unlock();
        }
    }

    private boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** One look at one node; writes only if something changed. */
    public static void reconcile(NodeLedgers ledgers, Evidence evidence, InstantSource clock, NodeName node) {
        if (!evidence.synced() || !ledgers.synced()) {
            return;
        }
        var holdings = ledgers.ledger().of(node);
        // What stands against the ledger may be an old picture: a pod that is gone, whose device went to another.
        var pictured = evidence.shown(node);
        var sure = pictured.stream()
                .filter(entry -> holdings.obstacle(entry).isPresent())
                .filter(entry -> evidence.look(node, entry) == Evidence.Look.STILL_HELD)
                .collect(Collectors.toSet());
        var shown = undisputed(pictured, holdings, sure);
        var gone = new ArrayList<Entry>();
        for (var entry : Reconciliation.doubtful(holdings, evidence.door(), shown, evidence::ended, clock.instant())) {
            // No uid comes back: about one that has ended nobody needs to be asked.
            switch (evidence.ended(entry) ? Evidence.Look.GONE : evidence.look(node, entry)) {
                case GONE -> gone.add(entry);
                case STILL_HELD, UNKNOWN -> {}
            }
        }
        if (Reconciliation.apply(holdings, shown, gone).equals(holdings)) {
            return;
        }
        var outcome = ledgers.decide(
                node,
                // Who has come since the look is in nobody's way on the word of a cache: the next look decides.
                current -> new Decision.Decided<>(
                        Reconciliation.apply(current, undisputed(shown, current, sure), gone), true),
                WRITE_PATIENCE);
        switch (outcome) {
            case LedgerOutcome.Settled<Boolean> _ ->
                LOG.debug("node reconciled: node={} shown={} gone={}", node, shown.size(), gone.size());
            case LedgerOutcome.NotWritten<Boolean>(var reason) ->
                LOG.warn("reconciled holdings were not written: node={} reason={}", node, reason);
            case LedgerOutcome.Unknown<Boolean>(var reason) ->
                LOG.warn("reconciled holdings were perhaps not written: node={} reason={}", node, reason);
        }
    }

    private static List<Entry> undisputed(Collection<Entry> shown, Holdings holdings, Set<Entry> sure) {
        return shown.stream()
                .filter(entry -> holdings.obstacle(entry).isEmpty() || sure.contains(entry))
                .toList();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }
}
