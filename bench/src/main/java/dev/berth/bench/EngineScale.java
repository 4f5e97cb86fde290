package dev.berth.bench;

import dev.berth.core.verdict.Placement;
import dev.berth.web.plot.LinePlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How the engine's decision grows with the cluster: the pods of {@link EngineBenchmark}, in a plain loop, from 100
 * nodes up. Arguments: where the picture goes or {@code none}, and the sizes in nodes.
 */
public final class EngineScale {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(2);
    private static final List<String> POLICIES = List.of("listed", "fewest-free");
    private static final List<EngineBenchmark.Shape> SHAPES =
            List.of(EngineBenchmark.Shape.ONE_GPU, EngineBenchmark.Shape.FOUR_GPUS_ON_ONE_NUMA_NODE);

    private EngineScale() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(Machine.words());
        System.out.println("| nodes | policy | asks for | mean µs | p50 µs | p99 µs |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        List<LinePlot.Line> lines = new ArrayList<>();
        for (var policy : POLICIES) {
            for (var shape : SHAPES) {
                List<LinePlot.Point> points = new ArrayList<>();
                for (var size : List.of(arguments).subList(1, arguments.length)) {
                    int nodes = Integer.parseInt(size);
                    var took = measure(nodes, shape, policy);
                    points.add(new LinePlot.Point(nodes, took.getMean() / 1000));
                    print(nodes, policy, shape, took);
                }
                lines.add(new LinePlot.Line("%s, %s".formatted(policy, words(shape)), points));
            }
        }
        if (!arguments[0].equals("none")) {
            var picture = new LinePlot("A decision of the engine", "nodes of 8 GPUs", "µs (mean)", lines);
            Files.writeString(Path.of(arguments[0], "scale-engine.svg"), picture.svg());
        }
        System.out.println(Machine.words());
    }

    private static void print(int nodes, String policy, EngineBenchmark.Shape shape, Histogram took) {
        System.out.printf(
                Locale.ROOT,
                "| %,d | `%s` | %s | %.1f | %.1f | %.1f |%n",
                nodes,
                policy,
                words(shape),
                took.getMean() / 1000,
                took.getValueAtPercentile(50) / 1000.0,
                took.getValueAtPercentile(99) / 1000.0);
        Result.of("engine: %s, %s, %,d nodes".formatted(policy, words(shape), nodes), "µs", took.getMean() / 1000)
                .tell();
    }

    private static String words(EngineBenchmark.Shape shape) {
        return switch (shape) {
            case ONE_GPU -> "1 GPU";
            case TWO_GPUS_BY_CEL -> "2 by CEL";
            case FOUR_GPUS_ON_ONE_NUMA_NODE -> "4 on a NUMA node";
        };
    }

    /** Nanoseconds of each decision. */
    private static Histogram measure(int nodes, EngineBenchmark.Shape shape, String policy) {
        var cluster = new EngineBenchmark();
        cluster.fill(nodes, shape, policy);
        place(cluster, WARM_UP);
        return place(cluster, MEASURED);
    }

    private static Histogram place(EngineBenchmark cluster, Duration time) {
        var took = new Histogram(3);
        long end = System.nanoTime() + time.toNanos();
        for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
            if (!(cluster.place() instanceof Placement)) throw new IllegalStateException("nothing is free");
            took.recordValue(System.nanoTime() - start);
        }
        return took;
    }
}
