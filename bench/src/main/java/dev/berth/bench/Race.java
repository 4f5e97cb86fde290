package dev.berth.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
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
 * The course that every server runs, with one client: pods to weigh; rounds to warm up, until the server's processor
 * time for each create falls no more and its compilers, if it has any, are done; then the timed rounds, of which each
 * server's median counts.
 *
 * @param weighed pods created first, after which the memory is read
 * @param warmUps most rounds to warm up
 * @param rounds timed, of creates and of watches
 * @param created pods in each round of creates
 * @param watched pods created under the eyes of the watchers in each round of watches
 */
record Race(int connections, int watchers, int weighed, int warmUps, int rounds, int created, int watched) {
    private static final long PATIENCE_SECONDS = 600;
    private static final String PODS = "/api/v1/namespaces/race/pods";

    Measurement run(Target target) throws IOException, InterruptedException {
        try (var connection = new Connection(target)) {
            byte[] namespace = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"race\"}}"
                    .getBytes(StandardCharsets.UTF_8);
            int status = connection.send(connection.request("POST", "/api/v1/namespaces", namespace));
            if (status != 201) throw new IOException("the namespace was answered with " + status);
        }
        print("first creates", round(target, weighed, () -> create(target, "weighed", weighed)));
        double megabytes = target.megabytes();
        warmUp(target);
        List<Round> creates = new ArrayList<>();
        List<Round> watches = new ArrayList<>();
        List<Round> replays = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            String prefix = "created-" + i;
            creates.add(round(target, created, () -> create(target, prefix, created)));
            print("creates", creates.getLast());
            remove(target, prefix, created);
        }
        for (int i = 1; i <= rounds; i++) {
            String prefix = "watched-" + i;
            String before = revision(target);
            watches.add(round(target, watchers * watched, () -> watch(target, prefix)));
            print("deliveries", watches.getLast());
            replays.add(round(target, watchers * watched, () -> replay(target, before)));
            print("replays", replays.getLast());
            remove(target, prefix, watched);
        }
        return new Measurement(
                target.name(), Round.median(creates), Round.median(watches), Round.median(replays), megabytes);
    }

    private void warmUp(Target target) throws IOException, InterruptedException {
        var creates = new Warmth(target);
        for (int i = 1; i <= warmUps && !creates.enough(); i++) {
            String prefix = "warm-" + i;
            Round round = round(target, created, () -> create(target, prefix, created));
            creates.felt(round.serverMicros(), created);
            remove(target, prefix, created);
            print("warm-up", round);
        }
        var watches = new Warmth(target);
        for (int i = 1; i <= warmUps && !watches.enough(); i++) {
            String prefix = "warm-watch-" + i;
            String before = revision(target);
            Round round = round(target, watchers * watched, () -> watch(target, prefix));
            watches.felt(round.serverMicros(), watchers * watched);
            print("warm-up watch", round);
            print("warm-up replay", round(target, watchers * watched, () -> replay(target, before)));
            remove(target, prefix, watched);
        }
    }

    private static void print(String what, Round round) {
        System.out.printf(
                "  %-14s %8.0f a second, %6.1f µs CPU of the server and %5.1f of the client each%n",
                what, round.perSecond(), round.serverMicros(), round.clientMicros());
    }

    private interface Course {
        Histogram run() throws IOException, InterruptedException;
    }

    private static Round round(Target target, int count, Course course) throws IOException, InterruptedException {
        double server = target.processorSeconds();
        double client = clientSeconds();
        long start = System.nanoTime();
        Histogram latencies = course.run();
        double perSecond = count * 1e9 / (System.nanoTime() - start);
        return new Round(
                perSecond,
                (target.processorSeconds() - server) * 1e6 / count,
                (clientSeconds() - client) * 1e6 / count,
                latencies);
    }

    private static double clientSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    private Histogram create(Target target, String prefix, int count) throws IOException, InterruptedException {
        var latencies = new ConcurrentHistogram(3);
        var next = new AtomicInteger();
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < connections; i++) tasks.add(() -> createSome(target, prefix, count, next, latencies));
        together(tasks);
        return latencies;
    }

    private static void createSome(Target target, String prefix, int count, AtomicInteger next, Histogram latencies)
            throws IOException {
        try (var connection = new Connection(target)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                byte[] request = connection.request("POST", PODS, PodBody.of(prefix + "-" + i));
                long start = System.nanoTime();
                int status = connection.send(request);
                latencies.recordValue((System.nanoTime() - start) / 1000);
                if (status != 201) throw new IOException("a create was answered with " + status);
            }
        }
    }

    /** So that every round begins with as much stored as the others. */
    private void remove(Target target, String prefix, int count) throws IOException, InterruptedException {
        var next = new AtomicInteger();
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < connections; i++) tasks.add(() -> removeSome(target, prefix, count, next));
        together(tasks);
    }

    private static void removeSome(Target target, String prefix, int count, AtomicInteger next) throws IOException {
        try (var connection = new Connection(target)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                String path = PODS + "/" + prefix + "-" + i + "?gracePeriodSeconds=0";
                int status = connection.send(connection.request("DELETE", path, new byte[0]));
                if (status != 200) throw new IOException("a delete was answered with " + status);
            }
        }
    }

    /** Ends when the last watcher has the last event. */
    private Histogram watch(Target target, String prefix) throws IOException, InterruptedException {
        var latencies = new ConcurrentHistogram(3);
        var next = new AtomicInteger();
        List<Task> creators = new ArrayList<>();
        for (int i = 0; i < connections; i++) creators.add(() -> createSome(target, prefix, watched, next, latencies));
        watch(target, revision(target), creators);
        return latencies;
    }

    /** The same events again, to watchers that begin before them: what is delivered, and nothing that causes it. */
    private Histogram replay(Target target, String revision) throws IOException, InterruptedException {
        watch(target, revision, List.of());
        return new ConcurrentHistogram(3);
    }

    private void watch(Target target, String revision, List<Task> creators) throws IOException, InterruptedException {
        List<Connection> watches = new ArrayList<>();
        try {
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < watchers; i++) {
                var watch = new Connection(target);
                watches.add(watch);
                watch.watch(PODS + "?watch=true&resourceVersion=" + revision);
                tasks.add(() -> watch.awaitEvents(watched));
            }
            tasks.addAll(creators);
            together(tasks);
        } finally {
            for (Connection watch : watches) watch.close();
        }
    }

    private static String revision(Target target) throws IOException {
        try (var connection = new Connection(target)) {
            String list = connection.ask("GET", PODS + "?limit=1");
            return list.replaceFirst("(?s).*?\"resourceVersion\":\\s*\"(\\d+)\".*", "$1");
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
