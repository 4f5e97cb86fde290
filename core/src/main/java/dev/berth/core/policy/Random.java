package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.List;

/**
 * Takes any node, the same one every time for the same demand and seed: what the other policies are measured against.
 */
public record Random(long seed) implements Policy {
    @Override
    public String name() {
        return "random";
    }

    @Override
    public boolean ranksEachDemandAnew() {
        return true;
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        long mixed = seed * 0x9E3779B97F4A7C15L
                + node.name().hashCode() * 31L
                + demand.name().hashCode();
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return new Rank((mixed ^ (mixed >>> 29)) >>> 11, 0);
    }
}
