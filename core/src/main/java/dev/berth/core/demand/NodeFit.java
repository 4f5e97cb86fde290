package dev.berth.core.demand;

import dev.berth.core.NodeName;
import java.util.Optional;

/** What else must be true of a node: that it is ready, that the pod tolerates its taints, that it has room. */
@FunctionalInterface
public interface NodeFit {
    NodeFit ANY = node -> Optional.empty();

    /** Why the node will not do, as a sentence for people; nothing when it will. */
    Optional<String> refuses(NodeName node);

    static NodeFit only(NodeName wanted) {
        return node -> node.equals(wanted) ? Optional.empty() : Optional.of("only node " + wanted + " will do");
    }
}
