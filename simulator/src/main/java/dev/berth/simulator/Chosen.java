package dev.berth.simulator;

import dev.berth.core.share.LeastFragmentation;
import dev.berth.core.share.LeastWaste;
import dev.berth.core.share.SharePolicies;
import dev.berth.core.share.SharePolicy;
import dev.berth.core.share.ShareRandom;
import dev.berth.core.share.Workload;
import java.util.SplittableRandom;

/**
 * The policy of one run and what it learns from. As published, fgd knows beforehand what is typical; berth learns it
 * from the pods that have come, and the others do not ask.
 */
final class Chosen {
    private final Workload.Memory memory = new Workload.Memory();
    private final boolean learns;
    private final SimulatedCluster cluster;
    private Workload believed = Workload.UNKNOWN;

    Chosen(String name, Trace trace, Workload known, long seed) {
        var lots = new SplittableRandom(seed);
        SharePolicy policy = switch (name) {
            case LeastFragmentation.NAME -> new LeastFragmentation(known);
            case "random" -> new ShareRandom(lots::nextDouble);
            default -> SharePolicies.named(name, memory::workload);
        };
        this.learns = name.equals(LeastWaste.NAME);
        this.cluster = new SimulatedCluster(Arrivals.order(trace.machines(), seed), policy, lots);
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    /** A pod has come: what is typical may have changed. */
    void saw(Task task) {
        if (!learns) {
            return;
        }
        memory.saw(task.parcel());
        var now = memory.workload();
        if (!now.equals(believed)) {
            believed = now;
            cluster.forget();
        }
    }
}
