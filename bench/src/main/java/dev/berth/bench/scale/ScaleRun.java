package dev.berth.bench.scale;

import dev.berth.bench.LiveHeap;
import dev.berth.bench.Machine;
import dev.berth.bench.Result;
import dev.berth.bench.Target;
import dev.berth.bench.door.Starts;
import dev.berth.bench.subject.Customer;
import dev.berth.bench.subject.Doors;
import dev.berth.bench.subject.Site;
import dev.berth.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Each door in a cluster that grows, all in one run. Arguments: {@code embedded} or the directory of the real binaries,
 * the launcher, where pictures go or {@code none}, and the sizes in nodes. {@code BENCH_DOORS} names the doors,
 * {@code BENCH_DOOR_OPTIONS} gives options for their JVM, {@code BENCH_HISTOGRAM} shows what their heaps hold.
 */
public final class ScaleRun {
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("patience", 240));
    private static final int WARM_UPS = 150;
    private static final int QUESTIONS = 300;
    /** A door that uses less of a core than this is idle. */
    private static final double IDLE = 0.05;

    private static final int MOST_LOOKS = 60;
    /** MiB that a door may hold, however large the cluster. */
    private static final double LARGEST = 1536;

    private final Stage stage;
    private final Path launcher;
    private final ScaleCluster cluster;
    private final List<ScaleRow> rows = new ArrayList<>();

    private ScaleRun(Stage stage, Path launcher) {
        this.stage = stage;
        this.launcher = launcher;
        this.cluster = new ScaleCluster(stage.server());
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(Machine.words());
        var launcher = Path.of(arguments[1]);
        try (var stage = Stage.open(arguments[0], launcher, "-Xmx3g")) {
            var run = new ScaleRun(stage, launcher);
            run.cluster.begin();
            for (var size : List.of(arguments).subList(3, arguments.length)) run.measure(Integer.parseInt(size));
            run.print();
            if (!arguments[2].equals("none")) ScalePictures.draw(run.rows, Path.of(arguments[2]));
        }
    }

    private void measure(int nodes) throws IOException, InterruptedException {
        long start = System.nanoTime();
        cluster.grow(nodes);
        System.out.printf(
                "%d nodes, %d pods after %.0f s; API server %.0f MiB%n",
                nodes,
                cluster.pods(),
                (System.nanoTime() - start) / 1e9,
                stage.server().megabytes());
        for (var door : doors()) {
            rows.add(measure(door, nodes));
            System.out.println(rows.getLast().line());
        }
    }

    private static List<String> doors() {
        var named = System.getenv("BENCH_DOORS");
        return named == null ? Doors.names() : Arrays.asList(named.split(",", -1));
    }

    private ScaleRow measure(String door, int nodes) throws IOException, InterruptedException {
        var options = System.getenv().getOrDefault("BENCH_DOOR_OPTIONS", "");
        var site = new Site(
                stage.server(), stage.kubeconfig(), launcher, stage.folder(), nodes, nodes, "at-" + nodes, options);
        long start = System.nanoTime();
        try (var subject = Doors.named(door).open(site)) {
            Starts.awaitReady(subject.door(), PATIENCE);
            double ready = (System.nanoTime() - start) / 1e9;
            awaitIdle(subject.door());
            double idle = subject.door().megabytes();
            var latencies = ask(subject);
            double asked = subject.door().megabytes();
            var heap = LiveHeap.of(subject.door());
            if (System.getenv("BENCH_HISTOGRAM") != null) heap.largest().forEach(System.out::println);
            subject.awaitFree();
            return new ScaleRow(
                    door,
                    nodes,
                    cluster.pods(),
                    ready,
                    idle,
                    asked,
                    heap.megabytes(),
                    latencies.getValueAtPercentile(50) / 1000.0,
                    latencies.getValueAtPercentile(99) / 1000.0,
                    "");
        } catch (IOException trouble) {
            return ScaleRow.failed(door, nodes, cluster.pods(), String.valueOf(trouble.getMessage()));
        }
    }

    /** What a door writes down when it starts is written, and what it had to read is read. */
    private static void awaitIdle(Target door) throws InterruptedException {
        double before = door.processorSeconds();
        for (int look = 0; look < MOST_LOOKS; look++) {
            Thread.sleep(2_000);
            double now = door.processorSeconds();
            if ((now - before) / 2 < IDLE) return;
            before = now;
        }
    }

    private static Histogram ask(Subject subject) throws IOException {
        var latencies = new Histogram(3);
        try (Customer customer = subject.customer()) {
            for (int number = 0; number < WARM_UPS + QUESTIONS; number++) {
                customer.prepare(number);
                long start = System.nanoTime();
                customer.ask(number);
                if (number >= WARM_UPS) latencies.recordValue((System.nanoTime() - start) / 1000);
                customer.giveBack(number);
            }
        }
        return latencies;
    }

    private void print() throws IOException {
        System.out.println();
        System.out.println(ScaleRow.HEAD);
        rows.forEach(row -> System.out.println(row.line()));
        rows.stream().filter(ScaleRow::whole).forEach(row -> {
            var what = "scale: %s, %,d nodes, ".formatted(row.door(), row.nodes());
            Result.of(what + "idle", "MiB", row.idle()).atMost(LARGEST).tell();
            Result.of(what + "a decision, p50", "ms", row.p50()).tell();
        });
        System.out.println(Machine.words());
    }
}
