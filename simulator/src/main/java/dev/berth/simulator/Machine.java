package dev.berth.simulator;

/**
 * A node of a trace.
 *
 * @param cpu thousandths of a core
 * @param memory MiB
 * @param model of its GPUs; empty where it has none
 */
public record Machine(String name, long cpu, long memory, int gpus, String model) {}
