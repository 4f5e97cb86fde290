package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Machine;
import dev.berth.bench.Rest;
import dev.berth.bench.Result;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.Warmth;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.lease.LeaseClaim;
import dev.berth.kube.lease.LeaseOutcome;
import dev.berth.kube.lease.Leases;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The assigner beside a real API server: admissions a second, and in the same run, in turns, the Leases that the same
 * client creates a second with nothing around them. Arguments: the directory of the real binaries, the launcher, the
 * number of calls in a stretch.
 */
public final class AssignerRun {
    private static final String CLAIMS = "gpu-claims";
    private static final String RAW = "raw";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases";
    private static final int NODES = 1_000;
    private static final int MOST_WARM_UPS = 20;
    private static final int PAIRS = 5;

    private final Path launcher;
    private final Path folder;
    private final Target server;
    private final Cluster cluster;
    private int rounds;

    private AssignerRun(Path launcher, Path folder, Target server, Cluster cluster) {
        this.launcher = launcher;
        this.folder = folder;
        this.server = server;
        this.cluster = cluster;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("assigner");
        System.out.println(Machine.words());
        try (Target server = Servers.real(Path.of(arguments[0]), folder)) {
            server.awaitReady(Duration.ofMinutes(2));
            Path kubeconfig = Servers.kubeconfig(server, folder);
            try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                NodeLedgerDefinition.install(cluster);
                new AssignerRun(Path.of(arguments[1]), folder, server, cluster).run(Integer.parseInt(arguments[2]));
            }
        }
    }

    private void run(int calls) throws IOException, InterruptedException {
        for (var namespace : List.of(CLAIMS, RAW)) {
            ask("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
        }
        boolean starts = Boolean.parseBoolean(System.getProperty("starts", "true"));
        if (starts) {
            Starts.measure("assigner, no nodes", 128, () -> door("shared").page());
        }
        new GpuNodes(NODES).create(server);
        if (starts) {
            Starts.measure(
                    "assigner, %d nodes of %d GPUs".formatted(NODES, GpuNodes.GPUS),
                    256,
                    () -> door("shared").page());
        }
        for (var ledger : System.getProperty("ledgers", "own,shared").split(",", -1)) {
            var door = door(ledger);
            try (var page = door.page()) {
                Starts.awaitReady(page);
                for (var atOnce : System.getProperty("crowds", "32").split(",", -1)) {
                    int crowd = Integer.parseInt(atOnce);
                    compare(ledger, door, crowd, crowd == 1 ? calls / 4 : calls);
                }
                System.out.printf("ledger %s: %.0f MiB resident after all that%n", ledger, page.megabytes());
            }
        }
    }

    /**
     * A process that listens on two ports: people's, plain, and the API server's, with TLS as the API server wants.
     *
     * @param kept connections to the webhook that nobody uses: an API server does not shake hands for each burst
     */
    private record Door(String ledger, Target page, Target webhook, Queue<Connection> kept) {
        private Connection connection() throws IOException {
            var free = kept.poll();
            return free == null ? new Connection(webhook) : free;
        }
    }

    private Door door(String ledger) throws IOException {
        int port = Servers.freePort();
        int uiPort = Servers.freePort();
        var page = Servers.door(
                URI.create("http://127.0.0.1:" + uiPort),
                launcher,
                folder,
                List.of(
                        "assigner",
                        "--kubeconfig=" + folder.resolve("kubeconfig"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--ui-port=" + uiPort,
                        "--claims-namespace=" + CLAIMS,
                        "--ledger=" + ledger));
        return new Door(
                ledger,
                page,
                new Target("assigner", URI.create("https://127.0.0.1:" + port), "", page.processes()),
                new ConcurrentLinkedQueue<>());
    }

    private void compare(String ledger, Door door, int atOnce, int calls) throws IOException, InterruptedException {
        System.out.printf(
                "ledger %s, %d at a time, stretches of %d, load %s:%n", ledger, atOnce, calls, Machine.load());
        var warmth = new Warmth(door.page());
        for (int i = 0; i < MOST_WARM_UPS && !warmth.enough(); i++) {
            System.out.println("  warm-up   leases     " + leases(atOnce, calls).words());
            var stretch = admissions(door, atOnce, calls);
            warmth.felt(stretch.doorMicros(), calls);
            System.out.println("            admissions " + stretch.words());
        }
        List<Stretch> raw = new ArrayList<>();
        List<Stretch> admitted = new ArrayList<>();
        List<Double> parts = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            raw.add(leases(atOnce, calls));
            System.out.println("  timed     leases     " + raw.getLast().words());
            admitted.add(admissions(door, atOnce, calls));
            System.out.println("            admissions " + admitted.getLast().words());
            parts.add(admitted.getLast().perSecond() / raw.getLast().perSecond());
        }
        parts.sort(null);
        System.out.println("  median    leases     " + median(raw).words());
        System.out.println("            admissions " + median(admitted).words());
        System.out.printf(
                "ledger %s, %d at a time: admissions are %.0f %% of Lease creations (%.0f to %.0f in each of %d pairs)%n",
                ledger,
                atOnce,
                100 * median(admitted).perSecond() / median(raw).perSecond(),
                100 * parts.getFirst(),
                100 * parts.getLast(),
                PAIRS);
        var result = Result.of(
                        "assigner: admissions, ledger %s, %d at a time".formatted(ledger, atOnce),
                        "a second",
                        median(admitted).perSecond())
                .beside("bare Leases", median(raw).perSecond());
        (atOnce == 1 ? result : result.timesAtLeast(ledger.equals("own") ? 0.8 : 0.6)).tell();
    }

    private static Stretch median(List<Stretch> stretches) {
        return stretches.stream()
                .sorted(Comparator.comparingDouble(Stretch::perSecond))
                .toList()
                .get(stretches.size() / 2);
    }

    /** The Leases that the assigner would write, through the client it has, and nothing else. */
    private Stretch leases(int atOnce, int calls) throws IOException, InterruptedException {
        var leases = new Leases(cluster, RAW, InstantSource.system());
        int round = rounds++;
        Rest.await(server);
        var stretch = Stretch.time(
                calls,
                List.of(),
                server,
                () -> new Crowd(atOnce).make(calls, () -> new Crowd.Caller() {
                    @Override
                    public void call(int number) throws IOException {
                        var made = leases.create(claim("raw-%d-%d".formatted(round, number)), Instant.now());
                        if (!(made instanceof LeaseOutcome.Acquired)) throw new IOException("not acquired: " + made);
                    }

                    @Override
                    public void close() {}
                }));
        ask("DELETE", LEASES.formatted(RAW), "");
        return stretch;
    }

    private static LeaseClaim claim(String name) {
        return new LeaseClaim(
                name,
                name,
                Duration.ofMinutes(1),
                Map.of(
                        "fudo.org/gpu.uuid", name,
                        "fudo.org/gpu.reservation-state", "proposal",
                        "fudo.org/pod.namespace", "race"),
                Map.of("fudo.org/gpu.reservation-id", name));
    }

    private Stretch admissions(Door door, int atOnce, int calls) throws IOException, InterruptedException {
        int round = rounds++;
        Rest.await(server);
        var before = Requests.of(server);
        var stretch = Stretch.time(
                calls,
                List.of(door.page()),
                server,
                () -> new Crowd(atOnce).make(calls, () -> {
                    var connection = door.connection();
                    return new Crowd.Caller() {
                        @Override
                        public void call(int number) throws IOException {
                            var review = Reviews.of("uid-%d-%d".formatted(round, number), "pod-" + number);
                            var answer = connection.answer(connection.request("POST", "/mutate?timeout=10s", review));
                            if (!answer.contains("\"allowed\":true")) throw new IOException("not admitted: " + answer);
                        }

                        @Override
                        public void close() {
                            door.kept().add(connection);
                        }
                    };
                }));
        System.out.println(
                "            requests of an admission: " + Requests.of(server).since(before, calls));
        ask("DELETE", LEASES.formatted(CLAIMS), "");
        awaitFree(door);
        return stretch;
    }

    /** Nothing of a stretch may be left when the next begins. */
    private void awaitFree(Door door) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
        while (text(door.page(), "/devices").contains("\"assignment\"")
                || (door.ledger().equals("shared")
                        && text(server, "/apis/berth.dev/v1alpha1/nodeledgers").contains(" assigner "))) {
            if (System.nanoTime() > deadline) throw new IOException("the GPUs are not given back");
            Thread.sleep(200);
        }
    }

    private static String text(Target target, String path) throws IOException {
        try (var connection = new Connection(target)) {
            return connection.answer(connection.request("GET", path, new byte[0]));
        }
    }

    private void ask(String method, String path, String body) throws IOException {
        try (var connection = new Connection(server)) {
            connection.answer(connection.request(method, path, body.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
