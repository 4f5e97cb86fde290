package dev.berth.core.verdict;

import dev.berth.core.NodeName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** No node will do; for each, the reason, in the order of their names. */
public record Refusal(Map<NodeName, Reason> perNode) implements Verdict {
    public Refusal {
        perNode = Collections.unmodifiableMap(new LinkedHashMap<>(perNode));
    }

    /** Whether time ran out somewhere, so that another try may find a place. */
    public boolean outOfTime() {
        return perNode.values().stream().anyMatch(Reason.Deadline.class::isInstance);
    }
}
