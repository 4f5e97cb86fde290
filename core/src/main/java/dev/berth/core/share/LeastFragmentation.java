package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;
import java.util.function.Supplier;

/**
 * Places each slice where the expected fragmentation grows least: the cores that are left over and of no use to the
 * slices usually asked for (Weng et al., Beware of Fragmentation, ATC 2023).
 *
 * @param typical the workload as it is known at the moment
 */
public record LeastFragmentation(Supplier<Workload> typical) implements SharePolicy {
    public static final String NAME = "fgd";

    public LeastFragmentation(Workload workload) {
        this(() -> workload);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice) {
        var after = node.charged(device, slice.exclusive() ? Held.WHOLE : Held.part(slice));
        return new Rank(fragmentation(after, typical.get()), node.freeCores(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        var workload = typical.get();
        return new Rank(fragmentation(after, workload) - fragmentation(before, workload), before.freeCores());
    }

    @Override
    public boolean looksAhead() {
        return true;
    }

    /** The cores that a slice of this workload cannot be expected to use. */
    public static double fragmentation(GpuNode node, Workload workload) {
        double expected = 0;
        for (var kind : workload.kinds()) {
            expected += kind.probability() * unusable(node, kind.slice());
        }
        return expected;
    }

    /** All that is left where the slice does not fit at all; else what is left on devices that are none for it. */
    private static long unusable(GpuNode node, Slice slice) {
        long useless = 0;
        int usable = 0;
        for (int device = 0; device < node.devices(); device++) {
            if (node.fits(device, slice)) {
                usable++;
            } else {
                useless += node.freeCores(device);
            }
        }
        long wanted = slice.exclusive() ? slice.gpus() : 1;
        return usable >= wanted ? useless : node.freeCores();
    }
}
