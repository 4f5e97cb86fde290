package dev.berth.bench.door;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.bench.Connection;
import dev.berth.bench.Machine;
import dev.berth.bench.Result;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.Warmth;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * The extender beside a real API server, asked one pod at a time as kube-scheduler asks: with whole nodes, and with
 * their names. Each answer is followed by its binding, on another connection, while the next question is asked.
 * Arguments: the directory of the real binaries, the launcher, the number of questions in a stretch.
 */
public final class ExtenderRun {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NODES = 500;
    private static final int MANY_NODES = 5_000;
    private static final List<Integer> PLACED = List.of(0, 1_000, 4_000);
    private static final int MOST_WARM_UPS = 20;
    /** As many pods a second as the target for whole nodes wants. */
    private static final Duration SUSTAINED = Duration.ofMillis(25);

    private final Path launcher;
    private final Path folder;
    private final Target server;
    private final SlicePods pods;
    private final List<String> table = new ArrayList<>();
    private int stretches;

    private ExtenderRun(Path launcher, Path folder, Target server) {
        this.launcher = launcher;
        this.folder = folder;
        this.server = server;
        this.pods = new SlicePods(server);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("extender");
        System.out.println(Machine.words());
        try (Target server = Servers.real(Path.of(arguments[0]), folder)) {
            server.awaitReady(Duration.ofMinutes(2));
            Path kubeconfig = Servers.kubeconfig(server, folder);
            try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                NodeLedgerDefinition.install(cluster);
            }
            new ExtenderRun(Path.of(arguments[1]), folder, server).run(Integer.parseInt(arguments[2]));
        }
    }

    private void run(int questions) throws IOException, InterruptedException {
        try (var connection = new Connection(server)) {
            connection.answer(connection.request(
                    "POST",
                    "/api/v1/namespaces",
                    "{\"metadata\":{\"name\":\"race\"}}".getBytes(StandardCharsets.UTF_8)));
        }
        SliceNodes.create(server, 0, NODES);
        if ("names".equals(System.getenv("BENCH_ONLY"))) {
            pods.run(0, PLACED.getLast(), NODES);
        } else {
            wholeNodes(questions);
        }
        SliceNodes.create(server, NODES, MANY_NODES);
        for (var ledger : List.of("shared", "own")) {
            names(questions, ledger);
        }
        System.out.println();
        System.out.println(
                "| question | placed pods | questions/s | p50 ms | p99 ms | CPU µs each: extender, API server, client | extender's MiB |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        table.forEach(System.out::println);
        System.out.println(Machine.words());
    }

    private void wholeNodes(int questions) throws IOException, InterruptedException {
        byte[] nodes = nodes().getBytes(StandardCharsets.UTF_8);
        System.out.printf("%d nodes whole, %d bytes in a question%n", NODES, nodes.length);
        try (var door = door("shared")) {
            Starts.awaitReady(door);
            warmUp(door, nodes, questions);
            double first = 0;
            double last = 0;
            int placed = 0;
            for (int count : PLACED) {
                pods.run(placed, count, NODES);
                placed = count;
                awaitHeld(count);
                var before = Requests.of(server);
                var stretch = ask(door, nodes, questions);
                System.out.println(
                        "  requests a question: " + Requests.of(server).since(before, questions));
                row("%d nodes whole".formatted(NODES), count, stretch, door);
                last = stretch.milliseconds(50);
                first = count == 0 ? last : first;
            }
            table.add("p50 with %d placed pods is %.2f times that with none".formatted(placed, last / first));
        }
    }

    private void names(int questions, String ledger) throws IOException, InterruptedException {
        byte[] names = names().getBytes(StandardCharsets.UTF_8);
        System.out.printf("%d names, %d bytes in a question, --ledger=%s%n", MANY_NODES, names.length, ledger);
        try (var door = door(ledger)) {
            Starts.awaitReady(door);
            warmUp(door, names, questions);
            var question = "%d names".formatted(MANY_NODES) + (ledger.equals("own") ? " by a ledger of its own" : "");
            row(question, PLACED.getLast(), ask(door, names, questions), door);
            row(question + ", 40 a second", PLACED.getLast(), ask(door, names, questions, SUSTAINED), door);
        }
    }

    private void warmUp(Target door, byte[] nodes, int questions) throws IOException, InterruptedException {
        var warmth = new Warmth(door);
        for (int i = 0; i < MOST_WARM_UPS && !warmth.enough(); i++) {
            var stretch = ask(door, nodes, questions);
            warmth.felt(stretch.doorMicros(), questions);
            System.out.println("  warm-up " + stretch.words());
        }
    }

    private void row(String question, int placed, Stretch stretch, Target door) throws IOException {
        var what = "extender: %s, %,d pods placed, ".formatted(question, placed);
        Result.of(what + "p50", "ms", stretch.milliseconds(50))
                .atMost(question.contains("names") ? 6 : 20)
                .tell();
        if (!question.contains(",")) {
            Result.of(what + "rate", "a second", stretch.perSecond())
                    .atLeast(40)
                    .tell();
        }
        System.out.println("  timed   " + stretch.words());
        table.add("| %s | %d | %.0f | %.1f | %.1f | %.0f, %.0f, %.0f | %.0f |"
                .formatted(
                        question,
                        placed,
                        stretch.perSecond(),
                        stretch.milliseconds(50),
                        stretch.milliseconds(99),
                        stretch.doorMicros(),
                        stretch.serverMicros(),
                        stretch.clientMicros(),
                        door.megabytes()));
    }

    private Target door(String ledger) throws IOException {
        int port = Servers.freePort();
        return Servers.door(
                URI.create("http://127.0.0.1:" + port),
                launcher,
                folder,
                List.of(
                        "extender",
                        "--kubeconfig=" + folder.resolve("kubeconfig"),
                        "--address=127.0.0.1:" + port,
                        "--pprofAddress=127.0.0.1:" + Servers.freePort(),
                        "--ledger=" + ledger));
    }

    /** One stretch: pods that wait are made before it, and taken away after it. */
    private Stretch ask(Target door, byte[] nodes, int questions) throws IOException, InterruptedException {
        return ask(door, nodes, questions, Duration.ZERO);
    }

    /** @param pace how long after one question the next is asked at the earliest */
    private Stretch ask(Target door, byte[] nodes, int questions, Duration pace)
            throws IOException, InterruptedException {
        var waiting = pods.waiting("stretch-%d".formatted(stretches++), questions);
        List<byte[]> bodies = new ArrayList<>();
        for (var pod : waiting) bodies.add(pod.getBytes(StandardCharsets.UTF_8));
        var stretch =
                Stretch.time(questions, List.of(door), server, () -> oneAtATime(door, waiting, bodies, nodes, pace));
        pods.remove(waiting);
        awaitHeld(-1);
        return stretch;
    }

    private Histogram oneAtATime(Target door, List<String> waiting, List<byte[]> pods, byte[] nodes, Duration pace)
            throws IOException, InterruptedException {
        var latencies = new Histogram(3);
        List<Future<String>> bound = new ArrayList<>();
        try (var question = new Connection(door);
                var binding = new Connection(server);
                var binder = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < pods.size(); i++) {
                byte[] request = question.request("POST", "/scheduler/predicates", body(pods.get(i), nodes));
                long start = System.nanoTime();
                String answer = question.answer(request);
                latencies.recordValue((System.nanoTime() - start) / 1000);
                var pod = SlicePods.name(waiting.get(i));
                var node = chosen(answer);
                bound.add(binder.submit(() -> {
                    SlicePods.bind(binding, pod, node);
                    return pod;
                }));
                TimeUnit.NANOSECONDS.sleep(pace.toNanos() - (System.nanoTime() - start));
            }
            for (var each : bound) each.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("not all pods were bound: " + e.getMessage(), e);
        }
        return latencies;
    }

    private static byte[] body(byte[] pod, byte[] nodes) throws IOException {
        var body = new ByteArrayOutputStream(pod.length + nodes.length + 16);
        body.write("{\"Pod\":".getBytes(StandardCharsets.UTF_8));
        body.write(pod);
        body.write(nodes);
        return body.toByteArray();
    }

    private static String chosen(String answer) throws IOException {
        // The start of an answer suffices: the rest says of every other node why not.
        var tree = JSON.readTree(answer);
        var name = tree.path("NodeNames")
                .path(0)
                .asText(tree.at("/Nodes/items/0/metadata/name").asText());
        if (name.isEmpty()) throw new IOException("no node: " + answer.substring(0, Math.min(500, answer.length())));
        return name;
    }

    /** The nodes as the API server has them. */
    private String nodes() throws IOException {
        try (var connection = new Connection(server)) {
            var list = JSON.readTree(connection.ask("GET", "/api/v1/nodes?limit=" + NODES));
            // kube-scheduler's cache has no managed fields.
            list.path("items")
                    .forEach(node -> ((com.fasterxml.jackson.databind.node.ObjectNode) node.path("metadata"))
                            .remove("managedFields"));
            return ",\"Nodes\":{\"metadata\":{},\"items\":%s},\"NodeNames\":null}".formatted(list.path("items"));
        }
    }

    private static String names() {
        var names = new StringJoiner("\",\"", "[\"", "\"]");
        for (int node = 0; node < MANY_NODES; node++) names.add(SliceNodes.name(node));
        return ",\"Nodes\":null,\"NodeNames\":%s}".formatted(names);
    }

    /** Waits until the ledgers hold so many pods, or, below zero, none of a stretch. */
    private void awaitHeld(int count) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (true) {
            int held = 0;
            boolean passing = false;
            try (var connection = new Connection(server)) {
                var ledgers = JSON.readTree(connection.ask("GET", "/apis/berth.dev/v1alpha1/nodeledgers"));
                for (var lines : ledgers.findValues("lines")) {
                    for (var line : lines) {
                        held++;
                        passing |= line.asText().contains("/stretch");
                    }
                }
            }
            if (count < 0 ? !passing : held == count) return;
            if (System.nanoTime() > deadline) {
                throw new IOException("the ledgers hold %d pods, not %d".formatted(held, count));
            }
            Thread.sleep(200);
        }
    }
}
