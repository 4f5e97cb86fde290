package dev.berth.apiserver.node;

import java.util.Map;
import java.util.Objects;

/**
 * What a simulated node is like.
 *
 * @param model the GPUs' product name, as {@code nvidia.com/gpu.product} has it; empty for a node without GPUs
 * @param labels beside those that every node has
 * @param annotations the same
 * @param resources what it offers beside cpu, memory and GPUs, as quantities
 */
public record NodeShape(
        String cpu,
        String memory,
        int pods,
        int gpus,
        String model,
        int gpuMemoryMib,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> resources) {

    public NodeShape {
        Objects.requireNonNull(cpu);
        Objects.requireNonNull(memory);
        if (pods < 1) throw new IllegalArgumentException("a node needs room for a pod: " + pods);
        if (gpus < 0) throw new IllegalArgumentException("a negative number of GPUs: " + gpus);
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        resources = Map.copyOf(resources);
    }

    /** A node as they are sold for training: many cores, much memory. */
    public static NodeShape withGpus(int gpus, String model, int gpuMemoryMib) {
        return new NodeShape("128", "1024Gi", 110, gpus, model, gpuMemoryMib, Map.of(), Map.of(), Map.of());
    }

    /** With what a device plugin or an operator publishes of it. */
    public NodeShape publishing(
            Map<String, String> moreLabels, Map<String, String> moreAnnotations, Map<String, String> moreResources) {
        return new NodeShape(cpu, memory, pods, gpus, model, gpuMemoryMib, moreLabels, moreAnnotations, moreResources);
    }
}
