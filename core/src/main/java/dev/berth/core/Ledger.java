package dev.berth.core;

import java.util.HashMap;
import java.util.Map;

/** Who holds how much of which device, over all nodes. Immutable. */
public record Ledger(Map<NodeName, Holdings> byNode) {
    public static final Ledger EMPTY = new Ledger(Map.of());

    public Ledger {
        byNode = Map.copyOf(byNode);
    }

    public Holdings of(NodeName node) {
        return byNode.getOrDefault(node, Holdings.EMPTY);
    }

    /** The same ledger with one node's holdings replaced. */
    public Ledger with(NodeName node, Holdings holdings) {
        var next = new HashMap<>(byNode);
        if (holdings.byDevice().isEmpty()) {
            next.remove(node);
        } else {
            next.put(node, holdings);
        }
        return new Ledger(next);
    }
}
