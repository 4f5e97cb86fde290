package dev.berth.core.verdict;

import dev.berth.core.NodeName;
import java.util.List;

/**
 * A node, and the devices for each ask, in the order of the asks.
 *
 * @param why what spoke for this node, as a sentence for people
 */
public record Placement(NodeName node, List<Grant> grants, String why) implements Verdict {
    public Placement {
        grants = List.copyOf(grants);
    }

    public List<Grant> of(String ask) {
        return grants.stream().filter(grant -> grant.ask().equals(ask)).toList();
    }
}
