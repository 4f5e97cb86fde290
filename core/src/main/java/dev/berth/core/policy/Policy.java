package dev.berth.core.policy;

import dev.berth.core.demand.Demand;
import dev.berth.core.verdict.Grant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which of several good placements is taken. Pure, so that an answer can be kept until the node changes: the same node
 * and the same grants get the same rank. Among equals the lower node name wins.
 */
public interface Policy {
    /** What {@code --policy} calls it. */
    String name();

    /** How good a node is with these grants: the lowest rank is taken. */
    Rank rank(NodeView node, List<Grant> grants, Demand demand);

    /**
     * In which order the devices of a node are tried, among equals as they were published. It may look at what is left
     * of each capacity, not at ids or attributes: nodes that look alike share an answer. Nothing: as published.
     */
    default Optional<Comparator<DeviceView>> devices() {
        return Optional.empty();
    }

    /** Whether the first node that will do, by name, is as good as any, so that the search can stop there. */
    default boolean takesTheFirst() {
        return false;
    }

    /** Whether the rank also depends on whose demand it is, so that no answer can be kept for the next. */
    default boolean ranksEachDemandAnew() {
        return false;
    }

    /** A place in an order, by {@code major} first: lower is better. */
    record Rank(double major, double minor) implements Comparable<Rank> {
        public static final Rank EQUAL = new Rank(0, 0);

        @Override
        public int compareTo(Rank other) {
            int order = Double.compare(major, other.major);
            return order != 0 ? order : Double.compare(minor, other.minor);
        }
    }
}
