package dev.berth.cli.up;

import dev.berth.apiserver.node.NodeShape;
import dev.berth.assigner.wire.DeviceLabels;
import dev.berth.assigner.wire.Keys;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.generate.WholeGpus;
import dev.berth.core.Attribute;
import dev.berth.kube.ledger.CardUuids;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A kind of node: one model of GPU under the names that each door knows it by.
 *
 * @param product as NVIDIA's discovery has it
 * @param advisorClass as the advisor's agent learns about it
 */
record GpuKind(WholeGpus.Model model, String product, String advisorClass, int memoryMib) {
    private static final int BLOCK_MIB = 256;
    private static final int CORES_A_GPU = 100;
    private static final int MIB_A_GIB = 1024;

    /** The kinds of a simulated cluster, in turn. */
    static final List<GpuKind> ALL = List.of(
            new GpuKind(WholeGpus.Model.A100, "NVIDIA-A100-SXM4-40GB", "A100-40GB", 40_960),
            new GpuKind(WholeGpus.Model.H100, "NVIDIA-H100-80GB-HBM3", "H100-80GB", 81_920),
            new GpuKind(WholeGpus.Model.L4, "NVIDIA-L4", "L4-24GB", 23_034),
            new GpuKind(WholeGpus.Model.T4, "Tesla-T4", "T4-16GB", 15_360));

    DevicePool pool(String node, int gpus) {
        return WholeGpus.pool(node, model, gpus, 1);
    }

    /** A node with so many of them, as the doors want it published: all see the same GPUs under the same UUIDs. */
    NodeShape shape(String node, int gpus) {
        var shape = NodeShape.withGpus(gpus, product, memoryMib);
        if (gpus == 0) {
            return shape;
        }
        return shape.publishing(
                Map.of("gpu.nvidia.com/class", advisorClass, "gaia.tencent.com/gpu-model", model.name()),
                Map.of(
                        Keys.DEVICE_LABELS,
                        deviceLabels(pool(node, gpus)).encode(),
                        CardUuids.ANNOTATION,
                        CardUuids.text(uuids(pool(node, gpus)))),
                Map.of(
                        "tencent.com/vcuda-core",
                        Integer.toString(CORES_A_GPU * gpus),
                        "tencent.com/vcuda-memory",
                        Integer.toString(memoryMib / BLOCK_MIB * gpus)));
    }

    /** In the order of the cards' indexes, which is that of the pool. */
    private static List<String> uuids(DevicePool pool) {
        return pool.devices().stream()
                .flatMap(device -> device.attributes().get("uuid") instanceof Attribute.Text(var uuid)
                        ? Stream.of(uuid)
                        : Stream.empty())
                .toList();
    }

    private DeviceLabels deviceLabels(DevicePool pool) {
        var labels = new TreeMap<String, SortedSet<String>>();
        for (var uuid : uuids(pool)) {
            labels.put(
                    uuid,
                    new TreeSet<>(List.of(
                            "fudo.org/gpu." + model.label(),
                            "fudo.org/gpu.vram.%dg".formatted(Math.ceilDiv(memoryMib, MIB_A_GIB)))));
        }
        return new DeviceLabels(labels);
    }
}
