package dev.berth.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.bench.door.Requests;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How many pods a second the pinner binds on a real API server, beside a bare client that posts the same bindings and
 * kube-scheduler that places as many simple pods; and how long a single pod waits, and what the idle process holds.
 */
public final class PinnerRace {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int GPUS = 8;
    private static final int SINGLES = 200;
    private static final int WARM_UPS = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Target server;
    private final Posts posts;
    private final Path binaries;
    private final Path launcher;
    private final Path folder;
    private final int pods;
    private final int nodes;

    private PinnerRace(Target server, Path binaries, Path launcher, Path folder, int pods) {
        this.server = server;
        this.posts = new Posts(server);
        this.binaries = binaries;
        this.launcher = launcher;
        this.folder = folder;
        this.pods = pods;
        this.nodes = (pods + GPUS - 1) / GPUS;
    }

    /** @param arguments the folder of the real programs, the launcher, how many pods */
    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("pinner-race");
        int pods = Integer.parseInt(arguments[2]);
        var binaries = Path.of(arguments[0]);
        try (var server = Servers.real(binaries, folder)) {
            server.awaitReady(Duration.ofMinutes(2));
            new PinnerRace(server, binaries, Path.of(arguments[1]), folder, pods).run();
        }
    }

    private void run() throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%d pods, %d nodes with %d GPUs; load %s%n",
                pods,
                nodes,
                GPUS,
                Files.readString(Path.of("/proc/loadavg")).strip());
        posts.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml(NodeLedgerDefinition.yaml()));
        makeNodes();
        var bare = new ArrayList<Double>();
        for (int round = 0; round < WARM_UPS; round++) {
            bare.add(bareClient(namespace("bare-" + round)));
        }
        double ours = contest("pinner", pinner());
        double theirs = contest("simple", scheduler());
        bare.add(bareClient(namespace("bare-last")));
        double rate = bare.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        System.out.printf(Locale.ROOT, "a bare client     %7.0f bindings/s (best of %s)%n", rate, rounded(bare));
        System.out.printf(Locale.ROOT, "berth pinner      %7.0f bindings/s, %.0f %% of it%n", ours, 100 * ours / rate);
        System.out.printf(
                Locale.ROOT,
                "kube-scheduler    %7.0f bindings/s, ours are %.2f times as many%n",
                theirs,
                ours / theirs);
        Result.of("pinner: bindings", "a second", ours)
                .beside("a bare client", rate)
                .timesAtLeast(0.9)
                .tell();
        Result.of("pinner: bindings", "a second", ours)
                .beside("kube-scheduler", theirs)
                .timesAtLeast(1)
                .tell();
        single();
    }

    private static List<Long> rounded(List<Double> rates) {
        return rates.stream().map(Math::round).toList();
    }

    /**
     * A scheduler that has been running for a while: it binds some rounds of pods first, the cold one among them. When
     * it has taken note of their end it is halted, pods are made, and it goes on; the clock runs from the first binding
     * that is seen to the last.
     */
    private double contest(String scheduler, Process process) throws Exception {
        double rate = 0;
        try (var _ = program(process)) {
            for (int round = 0; round <= WARM_UPS; round++) {
                var namespace = namespace(scheduler + "-" + round);
                if (round > 0) Signal.STOP.to(process);
                makePods(namespace, scheduler);
                double before = Target.processorSeconds(process);
                double serverBefore = server.processorSeconds();
                var requests = Requests.of(server);
                try (var sight = new Sight(server, namespace, pods)) {
                    if (round > 0) Signal.CONT.to(process);
                    rate = sight.rate();
                }
                System.out.printf(
                        Locale.ROOT,
                        "  %-8s %-8s %7.0f bindings/s, %.2f ms of its processor time each, %.2f of the API server's; %s%n",
                        round == 0 ? "cold" : round < WARM_UPS ? "warm-up" : "timed",
                        scheduler,
                        rate,
                        1000 * (Target.processorSeconds(process) - before) / pods,
                        1000 * (server.processorSeconds() - serverBefore) / pods,
                        Requests.of(server).since(requests, pods));
                deletePods(namespace);
                Rest.await(process);
            }
        }
        return rate;
    }

    /** Something that runs until it is closed. */
    private interface Running extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private String namespace(String name) throws IOException {
        posts.create("/api/v1/namespaces", JSON.readTree("{\"metadata\": {\"name\": \"%s\"}}".formatted(name)));
        return name;
    }

    private double bareClient(String namespace) throws Exception {
        makePods(namespace, "nobody");
        try (var sight = new Sight(server, namespace, pods);
                var _ = bindAll(namespace)) {
            return sight.rate();
        } finally {
            deletePods(namespace);
        }
    }

    private Running bindAll(String namespace) {
        var threads = Executors.newFixedThreadPool(64);
        for (int worker = 0; worker < 64; worker++) {
            int offset = worker;
            Future<?> _ = threads.submit(() -> {
                try (var connection = new Connection(server)) {
                    for (int pod = offset; pod < pods; pod += 64) {
                        var path = "/api/v1/namespaces/%s/pods/app-%d/binding".formatted(namespace, pod);
                        var body = """
                                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"app-%d","namespace":"%s","annotations":{"berth.dev/pinned-gpus":"%d"}},"target":{"apiVersion":"v1","kind":"Node","name":"worker-%d"}}
                                """.formatted(pod, namespace, pod / nodes, pod % nodes);
                        int code = connection.send(
                                connection.request("POST", path, body.getBytes(StandardCharsets.UTF_8)));
                        if (code != 201) {
                            throw new IOException("a binding was answered with " + code);
                        }
                    }
                    return true;
                }
            });
        }
        return threads::shutdownNow;
    }

    private static Running program(Process process) {
        return () -> {
            process.destroy();
            process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
            process.destroyForcibly();
        };
    }

    private Process pinner() throws IOException {
        return start(
                "pinner",
                List.of(
                        launcher.toString(),
                        "pinner",
                        "scheduler",
                        "--kubeconfig=" + Servers.kubeconfig(server, folder),
                        "--name=pinner",
                        "--no-leader-elect",
                        "--bind-address=127.0.0.1",
                        "--health-port=0",
                        "--log-level=warn"));
    }

    /** Without its own throttle, and speaking protobuf, as it does unless told otherwise. */
    private Process scheduler() throws IOException {
        var config = Files.writeString(
                folder.resolve("kube-scheduler.yaml"), """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: %s, qps: 10000, burst: 10000}
                profiles: [{schedulerName: simple}]
                """.formatted(Servers.kubeconfig(server, folder)));
        return start(
                "kube-scheduler",
                List.of(binaries.resolve("kube-scheduler").toString(), "--config=" + config, "--secure-port=0"));
    }

    private Process start(String name, List<String> command) throws IOException {
        return Servers.start(folder.resolve(name + ".log"), folder, command);
    }

    private void single() throws Exception {
        namespace("single");
        var times = new Histogram(3);
        var process = pinner();
        try (var _ = program(process);
                var connection = new Connection(server)) {
            for (int pod = 0; pod < SINGLES; pod++) {
                long began = System.nanoTime();
                posts.create("/api/v1/namespaces/single/pods", pod("pinner", "single-0", "0=worker-0:0"));
                while (!connection
                        .ask("GET", "/api/v1/namespaces/single/pods/single-0")
                        .contains("\"nodeName\"")) {
                    if (System.nanoTime() - began > PATIENCE.toNanos()) {
                        throw new IOException("a single pod is not bound");
                    }
                }
                // The first ones meet a cold program.
                if (pod >= SINGLES / 2) {
                    times.recordValue(System.nanoTime() - began);
                }
                connection.send(connection.request(
                        "DELETE", "/api/v1/namespaces/single/pods/single-0?gracePeriodSeconds=0", new byte[0]));
            }
            Thread.sleep(Duration.ofSeconds(5));
            System.out.printf(
                    Locale.ROOT,
                    "one pod, idle     p50 %.1f ms, p99 %.1f ms from its creation to its binding, the last %d of %d%n",
                    times.getValueAtPercentile(50) / 1e6,
                    times.getValueAtPercentile(99) / 1e6,
                    SINGLES - SINGLES / 2,
                    SINGLES);
            System.out.printf(Locale.ROOT, "idle memory       %.0f MiB resident%n", Target.megabytes(process));
            Result.of("pinner: one pod, creation to binding, p50", "ms", times.getValueAtPercentile(50) / 1e6)
                    .atMost(20)
                    .tell();
            Result.of("pinner: idle", "MiB", Target.megabytes(process))
                    .atMost(100)
                    .tell();
        }
    }

    private void makeNodes() throws Exception {
        posts.inParallel(nodes, node -> {
            var body = """
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-%d"}, "status": {
                     "capacity": {"cpu": "128", "memory": "1024Gi", "pods": "500", "nvidia.com/gpu": "%d"},
                     "allocatable": {"cpu": "128", "memory": "1024Gi", "pods": "500", "nvidia.com/gpu": "%d"},
                     "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(node, GPUS, GPUS);
            return new Posts.Made("/api/v1/nodes", body);
        });
        // The server taints every new node; the node controller, which is not here, would take that away.
        try (var connection = new Connection(server)) {
            for (int node = 0; node < nodes; node++) {
                var path = "/api/v1/nodes/worker-" + node;
                var object = (ObjectNode) JSON.readTree(connection.ask("GET", path));
                object.withObject("/spec").remove("taints");
                connection.send(connection.request("PUT", path, JSON.writeValueAsBytes(object)));
            }
        }
    }

    private void makePods(String namespace, String scheduler) throws Exception {
        boolean mapped = scheduler.equals("pinner");
        posts.inParallel(
                pods,
                number -> new Posts.Made(
                        "/api/v1/namespaces/%s/pods".formatted(namespace),
                        pod(
                                        scheduler,
                                        "app-" + number,
                                        mapped
                                                ? "%d=worker-%d:%d".formatted(number, number % nodes, number / nodes)
                                                : "")
                                .toString()));
    }

    private static JsonNode pod(String scheduler, String name, String map) throws IOException {
        var pod = (ObjectNode) JSON.readTree("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {"schedulerName": "%s",
                 "containers": [{"name": "main", "image": "none", "resources": {"requests": {"cpu": "10m"}}}]}}
                """.formatted(name, scheduler));
        if (!map.isEmpty()) {
            pod.withObject("/metadata/annotations").put("gpu-scheduling-map", map);
        }
        return pod;
    }

    private static JsonNode yaml(String text) throws IOException {
        return new YAMLMapper().readTree(text);
    }

    private void deletePods(String namespace) throws Exception {
        Set<Integer> codes = new HashSet<>();
        try (var connection = new Connection(server)) {
            for (int number = 0; number < pods; number++) {
                codes.add(connection.send(connection.request(
                        "DELETE",
                        "/api/v1/namespaces/%s/pods/app-%d?gracePeriodSeconds=0".formatted(namespace, number),
                        new byte[0])));
            }
        }
        if (!codes.equals(Set.of(200))) {
            throw new IOException("deletions were answered with " + codes);
        }
    }
}
