package dev.berth.pinner.map;

/**
 * A line of a map: where the replica of this ordinal goes, and what it sees there.
 *
 * @param node what the map calls the node; empty where it says nothing
 * @param devices as written, for the containers
 * @param gpus the same, understood
 * @param line its number in the map, from one
 */
public record MapEntry(long ordinal, String node, String devices, GpuNames gpus, int line) {}
