package dev.berth.cli.defrag;

import dev.berth.core.move.Layout;
import dev.berth.core.move.Need;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;

/**
 * A cluster at one moment: who is where, and who waits.
 *
 * @param waiting those that ask for GPUs and have no node, in the order in which they came
 * @param pods of a real cluster those that can be moved, by the names that they have in the layout
 */
record Situation(Layout layout, List<Waiting> waiting, Map<String, Pod> pods) {
    Situation {
        waiting = List.copyOf(waiting);
        pods = Map.copyOf(pods);
    }

    /** A pod that has no place. */
    record Waiting(String name, Need need) {}
}
