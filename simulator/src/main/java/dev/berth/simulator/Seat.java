package dev.berth.simulator;

import java.util.List;

/**
 * Where a pod is.
 *
 * @param node its place in the cluster's order
 * @param devices the indices of its GPUs
 */
public record Seat(int node, Task task, List<Integer> devices) {}
