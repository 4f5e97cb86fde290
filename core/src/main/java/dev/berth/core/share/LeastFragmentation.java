package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;
import java.util.function.Supplier;

/**
 * Places each slice where the expected fragmentation grows least: the cores that are left over and of no use to the
 * pods usually seen (Weng et al., Beware of Fragmentation, ATC 2023). The growth becomes a score from 0 to 100 as
 * published: what it rounds away keeps near-equals equal, and at full precision it packs much worse.
 */
public final class LeastFragmentation implements SharePolicy {
    public static final String NAME = "fgd";

    private final Supplier<Workload> typical;
    private volatile Fragments fragments = new Fragments(Workload.UNKNOWN);

    /** @param typical the workload as it is known at the moment */
    public LeastFragmentation(Supplier<Workload> typical) {
        this.typical = typical;
    }

    public LeastFragmentation(Workload workload) {
        this(() -> workload);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        var after = node.charged(device, slice, rest);
        return new Rank(-score(node, after), node.freeCores(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(-score(before, after), 0);
    }

    @Override
    public boolean looksAhead() {
        return true;
    }

    private int score(GpuNode before, GpuNode after) {
        var now = now();
        double growth = (now.of(after) - now.of(before)) / Slice.WHOLE;
        return (int) (100 / (1 + Math.exp(growth)));
    }

    /** The workload changes seldom, and preparing it takes longer than asking. */
    private Fragments now() {
        var workload = typical.get();
        var known = fragments;
        if (!known.workload().equals(workload)) {
            known = new Fragments(workload);
            fragments = known;
        }
        return known;
    }

    /** The cores that a slice of this workload cannot be expected to use. */
    public static double fragmentation(GpuNode node, Workload workload) {
        return new Fragments(workload).of(node);
    }
}
