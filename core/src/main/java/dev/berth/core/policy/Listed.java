package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.List;

/** Takes the first node by name and its first devices as published: what people expect who read the list. */
public record Listed() implements Policy {
    @Override
    public String name() {
        return "listed";
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        return Rank.EQUAL;
    }

    @Override
    public boolean takesTheFirst() {
        return true;
    }
}
