package dev.berth.core.demand;

import java.util.HashSet;
import java.util.List;

/**
 * What one pod asks for, all of it on one node.
 *
 * @param name whose demand it is, for people
 * @param nodes what else must be true of the node
 */
public record Demand(String name, List<Ask> asks, List<Constraint> constraints, NodeFit nodes) {
    public Demand {
        asks = List.copyOf(asks);
        constraints = List.copyOf(constraints);
        var names = new HashSet<String>();
        for (var ask : asks) {
            if (!names.add(ask.name())) {
                throw new IllegalArgumentException("two asks are called '%s'".formatted(ask.name()));
            }
        }
    }

    public static Demand of(String name, Ask... asks) {
        return new Demand(name, List.of(asks), List.of(), NodeFit.ANY);
    }

    public Demand with(Constraint... more) {
        return new Demand(name, asks, List.of(more), nodes);
    }

    public Demand onlyOn(NodeFit fit) {
        return new Demand(name, asks, constraints, fit);
    }
}
