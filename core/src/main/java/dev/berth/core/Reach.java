package dev.berth.core;

import java.util.Set;

/** From which nodes a device can be used. */
public sealed interface Reach {
    /** It sits in this node. */
    record On(NodeName node) implements Reach {}

    /** It hangs on the network, and these nodes reach it. */
    record Among(Set<NodeName> nodes) implements Reach {
        public Among {
            nodes = Set.copyOf(nodes);
        }
    }

    /** It hangs on the network, and every node reaches it. */
    record Anywhere() implements Reach {}

    default boolean covers(NodeName name) {
        return switch (this) {
            case On(var node) -> node.equals(name);
            case Among(var nodes) -> nodes.contains(name);
            case Anywhere() -> true;
        };
    }
}
