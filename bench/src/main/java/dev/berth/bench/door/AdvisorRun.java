package dev.berth.bench.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Connection;
import dev.berth.bench.Machine;
import dev.berth.bench.PodBody;
import dev.berth.bench.Result;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The advisor on eight connections: scores against a bare Helidon route, mutations with the agent in the same process
 * and beside it, TLS against plain HTTP, memory, starts. Arguments: the launcher, the seconds of a stretch.
 */
public final class AdvisorRun {
    private static final int CONNECTIONS = 8;
    private static final int WARM_UPS = 4;
    private static final int TIMES = 3;
    private static final String QUESTION = """
            {"job_type": "train-bert", "features": {"gpu_mem_gb": 40, "batch_size": 16, "tenant": "team-a"}, \
            "candidate_gpu_types": ["A100-80GB", "A100-40GB", "L4-24GB"], "colocated_job_types": []}""";

    private final Path launcher;
    private final Path folder;
    private final Duration stretch;
    private int started;

    private AdvisorRun(Path launcher, Path folder, Duration stretch) {
        this.launcher = launcher;
        this.folder = folder;
        this.stretch = stretch;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(Machine.words());
        var launcher = Path.of(arguments[0]);
        var folder = Files.createTempDirectory("advisor");
        var only = System.getenv().getOrDefault("BENCH_ONLY", "all");
        // A small cluster, as the webhook wants one: it looks there for types of GPUs and priority classes.
        try (var cluster = Servers.embedded("cluster", "http", launcher, "", folder)) {
            cluster.awaitReady(Duration.ofMinutes(1));
            var run = new AdvisorRun(launcher, folder, Duration.ofSeconds(Long.parseLong(arguments[1])));
            if (!only.equals("mutations")) run.scores();
            if (!only.equals("scores")) run.mutations();
            if (!only.equals("scores")) run.starts();
        }
    }

    /** Something that answers the same request again and again. */
    private record Subject(String name, Target door, String path, String body) {
        private Histogram load(Duration time) throws IOException, InterruptedException {
            if (door.address().getScheme().equals("http")) {
                try (var connection = new Connection(door)) {
                    return SteadyLoad.on(
                            door.address(), connection.request("POST", path, body.getBytes(UTF_8)), CONNECTIONS, time);
                }
            }
            return new Crowd(CONNECTIONS).makeFor(time, this::caller);
        }

        /** The same load by threads that wait, which TLS needs. */
        private Histogram threads(Duration time) throws IOException, InterruptedException {
            return new Crowd(CONNECTIONS).makeFor(time, this::caller);
        }

        private Crowd.Caller caller() throws IOException {
            var connection = new Connection(door);
            byte[] request = connection.request("POST", path, body.getBytes(UTF_8));
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    int status = connection.send(request);
                    if (status != 200) throw new IOException("answered with " + status);
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        }
    }

    private Subject agent(String name, String scheme, String... flags) throws IOException {
        int port = Servers.freePort();
        List<String> arguments = new ArrayList<>(List.of("advisor", "agent", "--port=" + port));
        arguments.addAll(List.of(flags));
        var door = start(URI.create(scheme + "://127.0.0.1:" + port), arguments, Map.of());
        return new Subject(name, door, "/v1/score", QUESTION);
    }

    private Subject all(String name, String scheme, String... flags) throws IOException {
        int port = Servers.freePort();
        List<String> arguments =
                new ArrayList<>(List.of("advisor", "all", "--port=" + Servers.freePort(), "--webhook-port=" + port));
        arguments.addAll(List.of(flags));
        var door = start(URI.create(scheme + "://127.0.0.1:" + port), arguments, Map.of());
        return new Subject(name, door, "/mutate?timeout=10s", review());
    }

    private Subject webhook(String name, Target agent) throws IOException {
        int port = Servers.freePort();
        var door = start(
                URI.create("http://127.0.0.1:" + port),
                List.of("advisor", "webhook", "--insecure-http", "--webhook-port=" + port),
                Map.of("SCHEDULER_URL", agent.address().toString()));
        return new Subject(name, door, "/mutate?timeout=10s", review());
    }

    private Target start(URI address, List<String> arguments, Map<String, String> environment) throws IOException {
        var variables = new HashMap<>(environment);
        variables.put("SCHEDULER_HOST", "127.0.0.1");
        variables.put(
                "SCHEDULER_SQLITE_PATH",
                folder.resolve("agent-%d.db".formatted(started++)).toString());
        variables.put("KUBECONFIG", folder.resolve("http.kubeconfig").toString());
        return Servers.door("advisor-" + started, address, launcher, folder, arguments, variables);
    }

    private Subject bare() throws IOException {
        int port = Servers.freePort();
        var target = Servers.java(
                "bare", URI.create("http://127.0.0.1:" + port), folder, BareRoute.class, Integer.toString(port));
        return new Subject("bare Helidon route", target, "/v1/score", QUESTION);
    }

    private static String review() {
        var pod = new String(PodBody.of("trainer-0"), UTF_8)
                .replace(
                        "\"annotations\":{",
                        "\"annotations\":{\"app.kubernetes.io/job-type\":\"train-bert\",\"gpu.mem.gi\":\"40\",")
                .replace("\"spec\":{", "\"spec\":{\"priority\":0,\"preemptionPolicy\":\"PreemptLowerPriority\",");
        return new String(Reviews.of("uid-1", "trainer-0", pod), UTF_8);
    }

    private void scores() throws IOException, InterruptedException {
        System.out.println("scores:");
        var bare = bare();
        var agent = agent("agent", "http");
        try (var first = bare.door();
                var second = agent.door()) {
            first.awaitReady(Duration.ofMinutes(1));
            second.awaitReady(Duration.ofMinutes(1));
            var rates = inTurns(List.of(bare, agent));
            Result.of("advisor: scores", "a second", rates.get(1))
                    .beside(bare.name(), rates.getFirst())
                    .atLeast(20_000)
                    .tell();
        }
        tls("agent", agent("agent", "http"), agent("agent with TLS", "https", "--self-signed"));
    }

    private void mutations() throws IOException, InterruptedException {
        System.out.println("mutations:");
        var beside = agent("agent", "http");
        var together = all("agent in process", "http", "--insecure-http");
        var apart = webhook("agent beside it", beside.door());
        try (var first = beside.door();
                var second = together.door();
                var third = apart.door()) {
            first.awaitReady(Duration.ofMinutes(1));
            second.awaitReady(Duration.ofMinutes(1));
            third.awaitReady(Duration.ofMinutes(1));
            var rates = inTurns(List.of(together, apart));
            Result.of("advisor: mutations, agent in process", "a second", rates.getFirst())
                    .atLeast(6_000)
                    .tell();
            System.out.printf(
                    "  agent and webhook in one process: %.0f MiB resident after all that%n", second.megabytes());
        }
        tls("mutations", all("plain", "http", "--insecure-http"), all("TLS", "https", "--self-signed"));
    }

    /** The part of plain HTTP's rate that is left with TLS, both asked by threads. */
    private void tls(String what, Subject plain, Subject secure) throws IOException, InterruptedException {
        try (var first = plain.door();
                var second = secure.door()) {
            first.awaitReady(Duration.ofMinutes(1));
            second.awaitReady(Duration.ofMinutes(1));
            List<Double> parts = new ArrayList<>();
            for (int i = 0; i < WARM_UPS + TIMES; i++) {
                double without = timed(plain.name() + ", asked by threads", plain, plain.threads(stretch), i);
                double with = timed(secure.name() + ", asked by threads", secure, secure.threads(stretch), i);
                if (i >= WARM_UPS) parts.add(with / without);
            }
            parts.sort(null);
            System.out.printf(
                    "  %s: with TLS %.0f %% of plain HTTP (%.0f to %.0f)%n",
                    what, 100 * parts.get(TIMES / 2), 100 * parts.getFirst(), 100 * parts.getLast());
            Result.of("advisor: %s with TLS, of plain HTTP".formatted(what), "%", 100 * parts.get(TIMES / 2))
                    .atLeast(70)
                    .tell();
        }
    }

    /** Each one's median rate. */
    private List<Double> inTurns(List<Subject> subjects) throws IOException, InterruptedException {
        List<List<Double>> rates = new ArrayList<>();
        for (var _ : subjects) rates.add(new ArrayList<>());
        for (int i = 0; i < WARM_UPS + TIMES; i++) {
            for (int each = 0; each < subjects.size(); each++) {
                var subject = subjects.get(each);
                double rate = timed(subject.name(), subject, subject.load(stretch), i);
                if (i >= WARM_UPS) rates.get(each).add(rate);
            }
        }
        return rates.stream()
                .map(all -> all.stream().sorted().toList().get(TIMES / 2))
                .toList();
    }

    private double timed(String name, Subject subject, Histogram latencies, int round) throws IOException {
        double perSecond = latencies.getTotalCount() / (double) stretch.toSeconds();
        System.out.printf(
                "  %-8s %-32s %7.0f a second, p50 %5.2f ms, p99 %6.2f ms, p99.9 %6.2f ms; %.0f MiB, load %s%n",
                round < WARM_UPS ? "warm-up" : "timed",
                name,
                perSecond,
                latencies.getValueAtPercentile(50) / 1000.0,
                latencies.getValueAtPercentile(99) / 1000.0,
                latencies.getValueAtPercentile(99.9) / 1000.0,
                subject.door().megabytes(),
                Machine.load());
        return perSecond;
    }

    private void starts() throws IOException, InterruptedException {
        Starts.measure(
                "advisor, agent and webhook in one process",
                160,
                () -> all("all", "http", "--insecure-http").door());
        Starts.measure("advisor, agent", 160, () -> agent("agent", "http").door());
    }
}
