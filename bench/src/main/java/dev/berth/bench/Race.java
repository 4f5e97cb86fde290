package dev.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The course that every server runs.
 *
 * @param pods created first, as a warm-up, after which the memory is read; then as many again, which are timed
 * @param watched how many pods are created under the eyes of the watchers, after that
 */
record Race(int connections, int watchers, int pods, int watched) {
    private static final long PATIENCE_SECONDS = 600;

    Measurement run(Target target) throws IOException, InterruptedException {
        try (var connection = new Connection(target)) {
            byte[] namespace = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"race\"}}"
                    .getBytes(StandardCharsets.UTF_8);
            int status = connection.send(connection.request("POST", "/api/v1/namespaces", namespace));
            if (status != 201) throw new IOException("the namespace was answered with " + status);
        }
        create(target, "warm", pods);
        double megabytes = target.megabytes();
        double before = target.processorSeconds();
        Created created = create(target, "pod", pods);
        double between = target.processorSeconds();
        double deliveries = watch(target);
        double after = target.processorSeconds();
        return new Measurement(
                target.name(),
                created.perSecond(),
                created.latencies(),
                (between - before) * 1e6 / pods,
                deliveries,
                (after - between) * 1e6 / ((double) watchers * watched),
                megabytes);
    }

    private record Created(double perSecond, Histogram latencies) {}

    private Created create(Target target, String prefix, int count) throws IOException, InterruptedException {
        var latencies = new ConcurrentHistogram(3);
        var next = new AtomicInteger();
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < connections; i++) tasks.add(() -> createSome(target, prefix, count, next, latencies));
        long start = System.nanoTime();
        together(tasks);
        return new Created(count * 1e9 / (System.nanoTime() - start), latencies);
    }

    private static void createSome(Target target, String prefix, int count, AtomicInteger next, Histogram latencies)
            throws IOException {
        try (var connection = new Connection(target)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                byte[] request =
                        connection.request("POST", "/api/v1/namespaces/race/pods", PodBody.of(prefix + "-" + i));
                long start = System.nanoTime();
                int status = connection.send(request);
                latencies.recordValue((System.nanoTime() - start) / 1000);
                if (status != 201) throw new IOException("a create was answered with " + status);
            }
        }
    }

    private double watch(Target target) throws IOException, InterruptedException {
        String revision;
        try (var connection = new Connection(target)) {
            String list = connection.ask("GET", "/api/v1/namespaces/race/pods?limit=1");
            revision = list.replaceFirst("(?s).*?\"resourceVersion\":\\s*\"(\\d+)\".*", "$1");
        }
        List<Connection> watches = new ArrayList<>();
        try {
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < watchers; i++) {
                var watch = new Connection(target);
                watches.add(watch);
                watch.watch("/api/v1/namespaces/race/pods?watch=true&resourceVersion=" + revision);
                tasks.add(() -> watch.awaitEvents(watched));
            }
            tasks.add(() -> {
                try {
                    create(target, "seen", watched);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            long start = System.nanoTime();
            together(tasks);
            return (double) watchers * watched * 1e9 / (System.nanoTime() - start);
        } finally {
            for (Connection watch : watches) watch.close();
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void together(List<Task> tasks) throws IOException, InterruptedException {
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (Task task : tasks) {
                running.add(threads.submit(() -> {
                    task.run();
                    return null;
                }));
            }
            try {
                for (Future<?> each : running) each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                threads.shutdownNow();
                throw new IOException("the race was not finished: " + e.getMessage(), e);
            }
        }
    }
}
