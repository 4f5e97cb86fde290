package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;
import java.util.function.Supplier;

/**
 * Berth's own: places each pod where least is wasted. It weighs the room taken by what it is worth to the pods that
 * were seen so far, what the node's CPU can still feed, and a little what is left of the node, so that near-equals
 * pack. What was tried and what helped is in docs/policies.md.
 */
public final class LeastWaste implements SharePolicy {
    public static final String NAME = "berth";

    /** How much the worth of room on a GPU counts against fragmentation, and how much packing does. */
    private static final double ROOM = 8;

    private static final double PACKING = 0.03;

    private final Supplier<Workload> typical;
    private volatile Belief belief = new Belief(Workload.UNKNOWN);

    /** @param typical the workload as it is known at the moment */
    public LeastWaste(Supplier<Workload> typical) {
        this.typical = typical;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(belief().cost(node.charged(device, slice, rest)), node.freeCores(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        var now = belief();
        return new Rank(now.cost(after) - now.cost(before) + PACKING * ShareBestFit.left(after), 0);
    }

    @Override
    public boolean looksAhead() {
        return true;
    }

    private Belief belief() {
        var workload = typical.get();
        var known = belief;
        if (!known.workload.equals(workload)) {
            known = new Belief(workload);
            belief = known;
        }
        return known;
    }

    /** What follows from a workload; it changes seldom, and working it out takes longer than asking. */
    private static final class Belief {
        private final Workload workload;
        private final Prospects prospects;
        private final CardPrices prices;

        Belief(Workload workload) {
            this.workload = workload;
            this.prospects = new Prospects(workload);
            this.prices = new CardPrices(workload);
        }

        /** What a node in this state costs, in GPUs; only differences mean something. */
        double cost(GpuNode node) {
            double room = 0;
            for (int device = 0; device < node.devices(); device++) {
                room += prices.worth(node.freeCores(device));
            }
            return prospects.lost(node) / Slice.WHOLE - ROOM * room;
        }
    }
}
