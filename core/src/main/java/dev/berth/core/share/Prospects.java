package dev.berth.core.share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much of a node a workload is likely to leave unused: {@link Fragments}, and besides that for each kind of pod
 * whether the CPU would last for as many of them as the GPUs have room for. A node with eight free GPUs and CPU for one
 * more pod is no fragment to that one pod, but seven of its GPUs are lost.
 */
final class Prospects {
    /** How much it counts that the CPU ends before the GPUs do; found by trial, see docs/policies.md. */
    private static final double STARVED = 0.2;

    private final Workload workload;
    private final Map<String, Demands> byModel = new ConcurrentHashMap<>();

    Prospects(Workload workload) {
        this.workload = workload;
    }

    /** In cores. */
    double lost(GpuNode node) {
        long free = node.freeCores();
        return free == 0
                ? 0
                : byModel.computeIfAbsent(node.host().model(), model -> new Demands(workload, model))
                        .lost(node, free);
    }

    /** The workload as a node of one model sees it. */
    private static final class Demands {
        private final Demand[] demands;

        Demands(Workload workload, String model) {
            var bySlice = new LinkedHashMap<Slice, List<Workload.Kind>>();
            for (var kind : workload.kinds()) {
                if (kind.slice().cores() > 0 && kind.parcel().suits(model)) {
                    bySlice.computeIfAbsent(kind.slice(), _ -> new ArrayList<>())
                            .add(kind);
                }
            }
            this.demands = bySlice.entrySet().stream()
                    .map(each -> new Demand(each.getKey(), each.getValue()))
                    .toArray(Demand[]::new);
        }

        double lost(GpuNode node, long free) {
            double used = 0;
            for (var demand : demands) {
                used += demand.used(node);
            }
            return free - used;
        }
    }

    /** Kinds that want the same of the GPUs. */
    private static final class Demand {
        private final Slice slice;
        private final long gpus;
        private final long[] cpu;
        private final double[] probability;

        Demand(Slice slice, List<Workload.Kind> kinds) {
            this.slice = slice;
            this.gpus = Math.max(1, slice.gpus());
            this.cpu = kinds.stream().mapToLong(kind -> kind.parcel().cpu()).toArray();
            this.probability =
                    kinds.stream().mapToDouble(Workload.Kind::probability).toArray();
        }

        /** The cores that pods like this can be expected to use. */
        double used(GpuNode node) {
            long usable = 0;
            long pods = 0;
            long size = Math.min(Slice.WHOLE, slice.cores());
            for (int device = 0; device < node.devices(); device++) {
                if (node.fits(device, slice)) {
                    usable += node.freeCores(device);
                    pods += node.freeCores(device) / size;
                }
            }
            pods /= gpus;
            if (pods == 0) {
                return 0;
            }
            double expected = 0;
            for (int kind = 0; kind < cpu.length; kind++) {
                long fed = cpu[kind] == 0 ? pods : Math.min(pods, node.host().cpu() / cpu[kind]);
                if (fed > 0) {
                    expected += probability[kind] * (1 - STARVED + STARVED * fed / pods);
                }
            }
            return expected * usable;
        }
    }
}
