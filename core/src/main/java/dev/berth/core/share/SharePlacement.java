package dev.berth.core.share;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The devices found on a node, by their indices, for each container that asked.
 *
 * @param held how much of each device the pod holds in all
 * @param after the node with that charged
 */
public record SharePlacement(
        List<List<Integer>> containers,
        List<List<Integer>> sidecars,
        List<List<Integer>> preparing,
        SortedMap<Integer, Held> held,
        GpuNode after) {
    public SharePlacement {
        containers = List.copyOf(containers);
        sidecars = List.copyOf(sidecars);
        preparing = List.copyOf(preparing);
        held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
    }
}
