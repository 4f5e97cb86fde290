package dev.berth.simulator;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * A made trace with the statistics of a production cluster: which machines and which requests there are, and how many
 * of each, in rounded figures. No row of it is anyone's.
 */
public final class GeneratedTrace {
    private static final int GIB = 1024;
    private static final double MEDIAN_SECONDS = 540;
    /** Half of all run for minutes, a few for days. */
    private static final double SPREAD = 2.2;

    private static final long MONTH = 30L * 24 * 3600;

    /** So many of a thousand machines are like this. */
    private record MachineKind(int weight, String model, int gpus, int cores, int gibibytes) {}

    private static final List<MachineKind> MACHINES = List.of(
            new MachineKind(453, "G2", 8, 96, 384),
            new MachineKind(319, "T4", 2, 104, 512),
            new MachineKind(88, "P100", 2, 16, 120),
            new MachineKind(32, "G3", 8, 128, 768),
            new MachineKind(23, "V100M16", 4, 32, 128),
            new MachineKind(18, "P100", 2, 64, 256),
            new MachineKind(17, "V100M32", 8, 96, 768),
            new MachineKind(16, "V100M16", 1, 8, 32),
            new MachineKind(14, "T4", 4, 96, 384),
            new MachineKind(8, "V100M32", 4, 48, 368),
            new MachineKind(6, "V100M16", 8, 64, 256),
            new MachineKind(6, "P100", 1, 8, 60));

    /** So many of a thousand pods ask for this; cores of the GPU in hundredths, of the CPU in tenths. */
    private record PodKind(int weight, int gpuCores, int cpuTenths, int gibibytes) {}

    private static final List<PodKind> PODS = List.of(
            new PodKind(45, 0, 125, 56),
            new PodKind(35, 0, 320, 48),
            new PodKind(27, 0, 80, 30),
            new PodKind(27, 0, 160, 50),
            new PodKind(172, 100, 114, 48),
            new PodKind(60, 100, 32, 6),
            new PodKind(35, 100, 187, 63),
            new PodKind(60, 100, 120, 24),
            new PodKind(30, 100, 98, 40),
            new PodKind(30, 100, 157, 57),
            new PodKind(30, 100, 80, 16),
            new PodKind(30, 100, 40, 24),
            new PodKind(33, 100, 160, 32),
            new PodKind(132, 81, 32, 6),
            new PodKind(48, 47, 119, 46),
            new PodKind(44, 47, 80, 30),
            new PodKind(31, 65, 119, 46),
            new PodKind(40, 32, 40, 22),
            new PodKind(17, 23, 40, 15),
            new PodKind(16, 46, 60, 8),
            new PodKind(9, 59, 32, 6),
            new PodKind(9, 16, 40, 15),
            new PodKind(9, 55, 42, 10),
            new PodKind(8, 22, 40, 22),
            new PodKind(6, 37, 42, 10),
            new PodKind(3, 11, 40, 15),
            new PodKind(3, 800, 880, 320),
            new PodKind(2, 800, 642, 257),
            new PodKind(2, 200, 162, 65),
            new PodKind(2, 400, 322, 129));

    private GeneratedTrace() {}

    public static Trace of(int machines, int tasks, long seed) {
        var chance = new SplittableRandom(seed);
        List<Machine> nodes = new ArrayList<>(machines);
        for (int number = 0; number < machines; number++) {
            var kind = drawn(MACHINES, MachineKind::weight, chance);
            nodes.add(new Machine(
                    "node-%05d".formatted(number),
                    kind.cores() * 1000L,
                    (long) kind.gibibytes() * GIB,
                    kind.gpus(),
                    kind.model()));
        }
        List<Task> pods = new ArrayList<>(tasks);
        for (int number = 0; number < tasks; number++) {
            var kind = drawn(PODS, PodKind::weight, chance);
            pods.add(new Task(
                    "pod-%06d".formatted(number),
                    new Parcel(new Slice(kind.gpuCores(), 0), kind.cpuTenths() * 100L, Set.of()),
                    (long) kind.gibibytes() * GIB,
                    Optional.of(span(chance))));
        }
        return new Trace(nodes, pods);
    }

    private static <K> K drawn(List<K> kinds, ToIntFunction<K> weight, SplittableRandom chance) {
        int lot = chance.nextInt(kinds.stream().mapToInt(weight).sum());
        for (var kind : kinds) {
            lot -= weight.applyAsInt(kind);
            if (lot < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the lots are more than the weights");
    }

    private static Task.Span span(SplittableRandom chance) {
        long from = chance.nextLong(MONTH);
        return new Task.Span(
                from, from + Math.max(1, Math.round(MEDIAN_SECONDS * Math.exp(SPREAD * chance.nextGaussian()))));
    }
}
