package dev.berth.core.move;

import java.util.List;

/**
 * A place for a pod.
 *
 * @param node its place in the layout
 * @param devices for each slice the indices of its GPUs
 */
public record Spot(int node, List<List<Integer>> devices) {
    /** Where a pod is that has no place. */
    public static final Spot NOWHERE = new Spot(-1, List.of());

    public Spot {
        devices = List.copyOf(devices);
    }

    public boolean somewhere() {
        return node >= 0;
    }

    /** Every GPU once, in order. */
    public List<Integer> gpus() {
        return devices.stream().flatMap(List::stream).distinct().sorted().toList();
    }
}
