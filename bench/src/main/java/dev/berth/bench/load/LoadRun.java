package dev.berth.bench.load;

import dev.berth.bench.LiveHeap;
import dev.berth.bench.Machine;
import dev.berth.bench.Result;
import dev.berth.bench.door.Starts;
import dev.berth.bench.scale.ScaleCluster;
import dev.berth.bench.scale.Stage;
import dev.berth.bench.subject.Doors;
import dev.berth.bench.subject.Site;
import dev.berth.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Each door at 70 % of what it can do, for a long time. Arguments: {@code embedded} or the directory of the real
 * binaries, the launcher, the number of nodes, the minutes, the doors.
 */
public final class LoadRun {
    private static final double PART = 0.7;
    private static final double WARM_UP_SECONDS = 30;
    private static final double MOST_SECONDS = 20;
    private static final int SAMPLE_SECONDS = 10;
    private static final int A_MINUTE = 60 / SAMPLE_SECONDS;

    private final Site site;
    private final double minutes;
    private final List<String> table = new ArrayList<>();

    private LoadRun(Site site, double minutes) {
        this.site = site;
        this.minutes = minutes;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(Machine.words());
        var launcher = Path.of(arguments[1]);
        int nodes = Integer.parseInt(arguments[2]);
        try (var stage = Stage.open(arguments[0], launcher, "")) {
            var cluster = new ScaleCluster(stage.server());
            cluster.begin();
            cluster.grow(nodes);
            System.out.printf("%d nodes, %d pods%n", nodes, cluster.pods());
            var site = new Site(stage.server(), stage.kubeconfig(), launcher, stage.folder(), nodes, "load", "");
            var run = new LoadRun(site, Double.parseDouble(arguments[3]));
            for (var door : List.of(arguments).subList(4, arguments.length)) run.measure(door);
            run.print();
        }
    }

    private void measure(String door) throws IOException, InterruptedException {
        try (var subject = Doors.named(door).open(site)) {
            Starts.awaitReady(subject.door(), Duration.ofMinutes(2));
            var load = new OpenLoop(subject, new AtomicInteger());
            System.out.printf("%s: warm-up %.1f a second%n", door, load.most(WARM_UP_SECONDS));
            double most = load.most(MOST_SECONDS);
            var before = LiveHeap.of(subject.door());
            System.out.printf("%s: at most %.1f a second, %.0f MiB of live heap%n", door, most, before.megabytes());
            long failuresBefore = load.failures();
            var samples = underLoad(subject, load, PART * most);
            var after = LiveHeap.of(subject.door());
            tell(door, most, samples, before.megabytes(), after.megabytes(), load.failures() - failuresBefore);
        }
    }

    private List<Sample> underLoad(Subject subject, OpenLoop load, double perSecond)
            throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        try (var threads = Executors.newSingleThreadExecutor()) {
            load.latencies().reset();
            double used = subject.door().processorSeconds();
            long start = System.nanoTime();
            var asking = threads.submit(() -> {
                load.run(perSecond, minutes * 60);
                return null;
            });
            while (!asking.isDone()) {
                Thread.sleep(SAMPLE_SECONDS * 1000L);
                double now = subject.door().processorSeconds();
                double seconds = (System.nanoTime() - start) / 1e9;
                start = System.nanoTime();
                samples.add(new Sample(
                        seconds,
                        load.latencies().getIntervalHistogram(),
                        (now - used) / seconds,
                        subject.door().megabytes()));
                used = now;
                if (samples.size() % A_MINUTE == 0) {
                    System.out.printf(
                            "  minute %2d %s%n",
                            samples.size() / A_MINUTE,
                            Sample.of(samples.subList(samples.size() - A_MINUTE, samples.size()))
                                    .words());
                }
            }
            asking.get();
        } catch (ExecutionException e) {
            throw new IOException("the load broke off: " + e.getMessage(), e);
        }
        // The last one is cut off where the load ends.
        if (samples.size() > 1) samples.removeLast();
        return samples;
    }

    private void tell(String door, double most, List<Sample> samples, double before, double after, long failures) {
        var all = Sample.of(samples);
        var memory = Trend.of(samples.stream().map(Sample::megabytes).toList());
        var slowest =
                Trend.of(samples.stream().map(sample -> sample.milliseconds(99)).toList());
        System.out.printf("%s: %s%n", door, all.words());
        System.out.printf("  resident memory  %s%n", memory.words("MiB"));
        System.out.printf("  p99              %s%n", slowest.words("ms"));
        System.out.printf("  live heap        %.1f to %.1f MiB; %d questions failed%n", before, after, failures);
        boolean flat = !memory.drifts() && !slowest.drifts() && after < 1.1 * before + 5;
        table.add(
                "| %s | %.0f | %.1f | %.2f | %.2f | %.2f | %.2f | %.0f to %.0f | %.1f to %.1f | %.1f to %.1f | %d | %s |"
                        .formatted(
                                door,
                                most,
                                all.perSecond(),
                                all.milliseconds(50),
                                all.milliseconds(99),
                                all.milliseconds(99.9),
                                all.cores(),
                                memory.first(),
                                memory.last(),
                                before,
                                after,
                                slowest.first(),
                                slowest.last(),
                                failures,
                                flat ? "flat" : "drifts"));
        Result.of("load: %s, memory's rise in %.0f min".formatted(door, minutes), "MiB", memory.rise())
                .judged("flat", flat && failures == 0)
                .tell();
    }

    private void print() throws IOException {
        System.out.printf("%n%.0f minutes each at %.0f %% of the maximum%n", minutes, 100 * PART);
        System.out.println(
                "| door | maximum a second | load a second | p50 ms | p99 ms | p99.9 ms | cores | MiB resident | MiB live heap | p99's trend, ms | failed | verdict |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        table.forEach(System.out::println);
        System.out.println(Machine.words());
    }
}
