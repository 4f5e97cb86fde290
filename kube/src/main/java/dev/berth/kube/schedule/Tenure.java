package dev.berth.kube.schedule;

import dev.berth.core.NodeName;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.Reconciler;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time in which this process is the one that places pods. It begins by bringing the ledgers into line with what the
 * cluster shows, and a reconciler keeps them so while it lasts.
 */
public final class Tenure implements LeaderElection.Candidate, AutoCloseable {
    private static final Duration RECONCILE_PERIOD = Duration.ofSeconds(30);

    private final NodeLedgers ledgers;
    private final Evidence evidence;
    private final InstantSource clock;
    private volatile boolean leading;
    private volatile boolean stopped;
    private volatile @Nullable Reconciler reconciler;
    /** How often this has begun to lead: whoever is deposed and elected again meanwhile begins anew. */
    private int term;

    /** @param alone whether there is no election: then it leads from the start */
    public Tenure(NodeLedgers ledgers, Evidence evidence, InstantSource clock, boolean alone) {
        this.ledgers = ledgers;
        this.evidence = evidence;
        this.clock = clock;
        this.leading = alone;
    }

    public boolean leading() {
        return leading;
    }

    public boolean stopped() {
        return stopped;
    }

    /** Whether decisions may be made: what the cluster shows is in the ledgers. */
    public boolean begun() {
        return reconciler != null;
    }

    /** Looks at every node; false if it was deposed meanwhile, and then it must begin again when it leads again. */
    public boolean begin() throws InterruptedException {
        int begun = term();
        Reconciler.reconcile(ledgers, evidence, clock, evidence.nodes());
        synchronized (this) {
            if (!leading || term != begun) {
                return false;
            }
            reconciler = Reconciler.start(ledgers, evidence, clock, RECONCILE_PERIOD);
            return true;
        }
    }

    private synchronized int term() {
        return term;
    }

    /** What the cluster shows of this node has changed. */
    public void tell(NodeName node) {
        var running = reconciler;
        if (running != null) {
            running.tell(node);
        }
    }

    @Override
    public synchronized void elected() {
        term++;
        leading = !stopped;
    }

    @Override
    public synchronized void deposed(String why) {
        leading = false;
        close();
    }

    /** Makes no decision any more; what is being written goes on. False if that was said before. */
    public synchronized boolean stop() {
        boolean first = !stopped;
        stopped = true;
        leading = false;
        return first;
    }

    /** Ends the reconciler; another tenure may begin. */
    @Override
    public synchronized void close() {
        var running = reconciler;
        if (running != null) {
            running.close();
            reconciler = null;
        }
    }
}
