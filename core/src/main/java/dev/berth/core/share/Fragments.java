package dev.berth.core.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much of a node is of no use to a workload, prepared so that asking is quick: kinds that want the same of the GPUs
 * are looked at together, whatever CPU they want.
 */
public final class Fragments {
    private final Workload workload;
    private final Map<String, OnModel> byModel = new ConcurrentHashMap<>();

    public Fragments(Workload workload) {
        this.workload = workload;
    }

    public Workload workload() {
        return workload;
    }

    /** The cores of this node that a pod of the workload cannot be expected to use. */
    public double of(GpuNode node) {
        return byModel.computeIfAbsent(node.host().model(), model -> new OnModel(workload, model))
                .of(node);
    }

    /** The workload as a node of one model sees it. */
    private static final class OnModel {
        /** The probability of pods that can never use a GPU here. */
        private final double hopeless;

        private final Group[] groups;

        OnModel(Workload workload, String model) {
            double none = 0;
            var bySlice = new LinkedHashMap<Slice, List<Workload.Kind>>();
            for (var kind : workload.kinds()) {
                if (kind.slice().cores() == 0 || !kind.parcel().suits(model)) {
                    none += kind.probability();
                } else {
                    bySlice.computeIfAbsent(kind.slice(), _ -> new ArrayList<>())
                            .add(kind);
                }
            }
            this.hopeless = none;
            this.groups = bySlice.entrySet().stream()
                    .map(each -> new Group(each.getKey(), each.getValue()))
                    .toArray(Group[]::new);
        }

        double of(GpuNode node) {
            long free = node.freeCores();
            if (free == 0) {
                return 0;
            }
            double expected = hopeless * free;
            for (var group : groups) {
                expected += group.of(node, free);
            }
            return expected;
        }
    }

    /** Kinds that want the same of the GPUs, by rising CPU. */
    private static final class Group {
        private final Slice slice;
        private final long wanted;
        private final long[] cpu;
        /** Of the first so many kinds together. */
        private final double[] probability;

        Group(Slice slice, List<Workload.Kind> kinds) {
            this.slice = slice;
            this.wanted = slice.exclusive() ? slice.gpus() : 1;
            var sorted = kinds.stream()
                    .sorted(Comparator.comparingLong(kind -> kind.parcel().cpu()))
                    .toList();
            this.cpu = sorted.stream().mapToLong(kind -> kind.parcel().cpu()).toArray();
            this.probability = new double[cpu.length + 1];
            for (int index = 0; index < cpu.length; index++) {
                probability[index + 1] = probability[index] + sorted.get(index).probability();
            }
        }

        /** All that is left to those that do not fit; to the others what is left on devices that are none for them. */
        double of(GpuNode node, long free) {
            int all = cpu.length;
            int enough = all;
            while (enough > 0 && cpu[enough - 1] > node.host().cpu()) {
                enough--;
            }
            if (enough == 0) {
                return probability[all] * free;
            }
            long useless = 0;
            int usable = 0;
            for (int device = 0; device < node.devices(); device++) {
                if (node.fits(device, slice)) {
                    usable++;
                } else {
                    useless += node.freeCores(device);
                }
            }
            return usable < wanted
                    ? probability[all] * free
                    : probability[enough] * useless + (probability[all] - probability[enough]) * free;
        }

        @Override
        public String toString() {
            return slice + " " + Arrays.toString(cpu);
        }
    }
}
