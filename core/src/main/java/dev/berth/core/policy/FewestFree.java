package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.List;

/**
 * Takes the node that has the fewest devices left for demands like this one, so that large ones find room elsewhere.
 */
public record FewestFree() implements Policy {
    @Override
    public String name() {
        return "fewest-free";
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        return new Rank(node.matching(), 0);
    }
}
