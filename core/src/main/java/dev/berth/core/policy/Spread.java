package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Takes the emptiest node and its emptiest devices, so that a failure or a noisy neighbour hits as few as possible. */
public record Spread() implements Policy {
    private static final Comparator<DeviceView> EMPTIEST_FIRST = Comparator.<DeviceView>comparingDouble(
                    device -> -device.left(Pack.CORES))
            .thenComparingDouble(device -> -device.left(Pack.MEMORY));

    @Override
    public String name() {
        return "spread";
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        return new Rank(-node.untouched(), -node.left(Pack.CORES));
    }

    @Override
    public Optional<Comparator<DeviceView>> devices() {
        return Optional.of(EMPTIEST_FIRST);
    }
}
