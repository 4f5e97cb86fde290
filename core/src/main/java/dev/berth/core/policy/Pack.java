package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Fills the busiest node that still fits, and its busiest device, by free cores and then by free memory, so that empty
 * ones stay empty for jobs that need them whole. Devices that are not given out in parts count as untouched or not.
 */
public record Pack() implements Policy {
    /** What a fractional GPU is measured in. */
    public static final String CORES = "cores";

    public static final String MEMORY = "memory";

    private static final Comparator<DeviceView> BUSIEST_FIRST = Comparator.<DeviceView>comparingDouble(
                    device -> device.left(CORES))
            .thenComparingDouble(device -> device.left(MEMORY));

    @Override
    public String name() {
        return "pack";
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        double cores = node.left(CORES);
        return cores > 0 ? new Rank(cores, node.left(MEMORY)) : new Rank(node.untouched(), 0);
    }

    @Override
    public Optional<Comparator<DeviceView>> devices() {
        return Optional.of(BUSIEST_FIRST);
    }
}
