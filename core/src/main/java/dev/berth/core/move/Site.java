package dev.berth.core.move;

import dev.berth.core.NodeName;
import dev.berth.core.share.GpuCapacity;

/**
 * A node, with all that it has.
 *
 * @param model of its GPUs; empty where nobody said
 * @param rest what it has besides GPUs
 */
public record Site(NodeName name, String model, GpuCapacity gpus, Amounts rest) {}
