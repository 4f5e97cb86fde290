package dev.berth.core.explain;

import dev.berth.core.NodeName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a door would do with a pod now. */
public sealed interface Answer {
    /** What speaks against each node; the node that would be taken is not in it. */
    Map<NodeName, Objection> objections();

    /**
     * It would go there.
     *
     * @param devices what it would get, for people
     * @param why what spoke for this node
     */
    record Fits(NodeName node, List<String> devices, String why, Map<NodeName, Objection> objections)
            implements Answer {
        public Fits {
            devices = List.copyOf(devices);
            objections = sorted(objections);
        }
    }

    /** No node will do. */
    record Waits(Map<NodeName, Objection> objections) implements Answer {
        public Waits {
            objections = sorted(objections);
        }
    }

    /** Something is wrong that no node can make up for. */
    record Unusable(String why) implements Answer {
        @Override
        public Map<NodeName, Objection> objections() {
            return Map.of();
        }
    }

    private static Map<NodeName, Objection> sorted(Map<NodeName, Objection> objections) {
        return Collections.unmodifiableMap(new TreeMap<>(objections));
    }
}
