package dev.berth.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * kube-scheduler and Berth, one after the other on the same real API server, place the same pods, each with a claim
 * from a template, on the same nodes with the same slices. Neither is throttled by its own client.
 */
public final class DraRace {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int ROUNDS = 4;
    private static final String DRIVER = "gpu.example.com";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Target server;
    private final Posts posts;
    private final Path binaries;
    private final Path launcher;
    private final Path folder;
    private final Shape shape;
    private final int pods;
    private final int nodes;
    private final int devices;

    /**
     * What a pod claims: in words, how many times as many as kube-scheduler are aimed at, devices, the claim's spec.
     */
    private enum Shape {
        ONE("one device", 1, 1, "{devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}"),
        /** Where the scheduler has more to do than the API server: four cards of one model on one NUMA node. */
        NUMA("four cards of one model on one NUMA node", 3, 4, """
                {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 4, selectors: [
                  {cel: {expression: "device.attributes['gpu.example.com'].model == 'h100'"}}]}}],
                 constraints: [{matchAttribute: gpu.example.com/numa}]}}""");

        private final String words;
        private final int times;
        private final int devices;
        private final String claim;

        Shape(String words, int times, int devices, String claim) {
            this.words = words;
            this.times = times;
            this.devices = devices;
            this.claim = claim;
        }
    }

    /**
     * What one round cost: pods a second, and milliseconds of processor time a pod, of the scheduler and of the rest.
     */
    private record Cost(double rate, double scheduler, double controlPlane) {}

    private DraRace(Target server, Path binaries, Path launcher, Path folder, Shape shape, int pods, int nodes) {
        this.server = server;
        this.posts = new Posts(server);
        this.binaries = binaries;
        this.launcher = launcher;
        this.folder = folder;
        this.shape = shape;
        this.pods = pods;
        this.nodes = nodes;
        this.devices = (pods + nodes - 1) / nodes * shape.devices;
    }

    /**
     * @param arguments the folder of the real programs, the launcher, how many pods, how many nodes, what a pod claims
     */
    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("dra-race");
        var binaries = Path.of(arguments[0]);
        try (var server = Servers.real(binaries, folder)) {
            server.awaitReady(Duration.ofMinutes(2));
            new DraRace(
                            server,
                            binaries,
                            Path.of(arguments[1]),
                            folder,
                            Shape.valueOf(arguments[4].toUpperCase(Locale.ROOT)),
                            Integer.parseInt(arguments[2]),
                            Integer.parseInt(arguments[3]))
                    .run();
        }
    }

    private void run() throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%d pods with a claim of %d device(s) each, %d nodes with %d devices; %d rounds each, the last is timed; load %s%n",
                pods,
                shape.devices,
                nodes,
                devices,
                ROUNDS,
                Files.readString(Path.of("/proc/loadavg")).strip());
        makeCluster();
        var controllers = controllers();
        try (var _ = closing(controllers)) {
            var theirs = contest("kube-scheduler", scheduler(), controllers);
            var ours = contest("berth", berth(), controllers);
            System.out.printf(
                    Locale.ROOT,
                    "berth places %.2f times as many pods a second as kube-scheduler, with %.2f times its processor time%n",
                    ours.rate() / theirs.rate(),
                    ours.scheduler() / theirs.scheduler());
            Result.of("claims: pods that claim " + shape.words, "a second", ours.rate())
                    .beside("kube-scheduler", theirs.rate())
                    .timesAtLeast(shape.times)
                    .tell();
            Result.of("claims: the same, processor time", "ms a pod", ours.scheduler())
                    .beside("kube-scheduler", theirs.scheduler())
                    .tell();
        }
    }

    /**
     * The scheduler is halted while pods and their claims are made, so that neither is what is measured; the clock runs
     * from the first binding that is seen to the last.
     */
    private Cost contest(String scheduler, Process process, Process controllers) throws Exception {
        Cost last = new Cost(0, 0, 0);
        try (var _ = closing(process)) {
            for (int round = 1; round <= ROUNDS; round++) {
                var namespace = "%s-%d".formatted(scheduler, round);
                makeNamespace(namespace);
                if (round > 1) Signal.STOP.to(process);
                makePods(namespace, scheduler);
                awaitClaims(namespace);
                double before = Target.processorSeconds(process);
                double others = server.processorSeconds() + Target.processorSeconds(controllers);
                try (var sight = new Sight(server, namespace, pods)) {
                    if (round > 1) Signal.CONT.to(process);
                    double rate = sight.rate();
                    last = new Cost(
                            rate,
                            1000 * (Target.processorSeconds(process) - before) / pods,
                            1000 * (server.processorSeconds() + Target.processorSeconds(controllers) - others) / pods);
                }
                System.out.printf(
                        Locale.ROOT,
                        "  %-14s %-8s %6.0f pods/s, %5.1f ms of its processor time a pod (%.1f ms of API server, etcd and controllers)%n",
                        scheduler,
                        round == 1 ? "cold" : round < ROUNDS ? "warm-up" : "timed",
                        last.rate(),
                        last.scheduler(),
                        last.controlPlane());
                checkDevices(namespace);
                end(namespace);
                Rest.await(process);
            }
        }
        return last;
    }

    private interface Running extends AutoCloseable {
        @Override
        void close();
    }

    private static Running closing(Process process) {
        return () -> {
            process.destroy();
            process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
            process.destroyForcibly();
        };
    }

    private Process controllers() throws IOException {
        return start(
                "kube-controller-manager",
                List.of(
                        binaries.resolve("kube-controller-manager").toString(),
                        "--kubeconfig=" + Servers.kubeconfig(server, folder),
                        "--controllers=resourceclaim-controller,garbage-collector-controller",
                        "--leader-elect=false",
                        "--secure-port=0",
                        "--kube-api-qps=5000",
                        "--kube-api-burst=5000"));
    }

    private Process scheduler() throws IOException {
        var config = Files.writeString(
                folder.resolve("kube-scheduler.yaml"), """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: %s, qps: 5000, burst: 5000}
                profiles: [{schedulerName: kube-scheduler}]
                """.formatted(Servers.kubeconfig(server, folder)));
        System.out.println("  its settings: "
                + Files.readString(config)
                        .strip()
                        .replace(folder.toString(), "")
                        .replace("\n", "; "));
        return start(
                "kube-scheduler",
                List.of(binaries.resolve("kube-scheduler").toString(), "--config=" + config, "--secure-port=0"));
    }

    private Process berth() throws IOException {
        return start(
                "berth",
                List.of(
                        launcher.toString(),
                        "claims",
                        "scheduler",
                        "--kubeconfig=" + Servers.kubeconfig(server, folder),
                        "--scheduler-name=berth",
                        "--lease-namespace=default",
                        "--bind-address=127.0.0.1",
                        "--port=0",
                        "--log-level=warn"));
    }

    private Process start(String name, List<String> command) throws IOException {
        return Servers.start(folder.resolve(name + ".log"), folder, command);
    }

    private void makeCluster() throws Exception {
        posts.create(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", YAML.readTree(NodeLedgerDefinition.yaml()));
        posts.create("/apis/resource.k8s.io/v1/deviceclasses", YAML.readTree("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
                """));
        posts.inParallel(nodes, number -> new Posts.Made("/api/v1/nodes", """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-%03d"}, "status": {
                 "capacity": {"cpu": "128", "memory": "1024Gi", "pods": "500"},
                 "allocatable": {"cpu": "128", "memory": "1024Gi", "pods": "500"},
                 "conditions": [{"type": "Ready", "status": "True"}]}}
                """.formatted(number)));
        untaint();
        posts.inParallel(nodes, number -> new Posts.Made("/apis/resource.k8s.io/v1/resourceslices", slice(number)));
    }

    private String slice(int node) {
        var list = IntStream.range(0, devices)
                .mapToObj(number -> """
                        {"name": "gpu-%d", "attributes": {"index": {"int": %d}, "numa": {"int": %d}, "model": {"string": "h100"}}, "capacity": {"memory": {"value": "80Gi"}}}""".formatted(number, number, number % Math.max(1, devices / shape.devices)))
                .collect(Collectors.joining(","));
        return """
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "worker-%03d-gpus"},
                 "spec": {"driver": "%s", "nodeName": "worker-%03d", "devices": [%s],
                          "pool": {"name": "worker-%03d", "generation": 1, "resourceSliceCount": 1}}}
                """.formatted(node, DRIVER, node, list, node);
    }

    /** The server taints every new node; the node controller, which is not here, would take that away. */
    private void untaint() throws IOException {
        try (var connection = new Connection(server)) {
            for (int node = 0; node < nodes; node++) {
                var path = "/api/v1/nodes/worker-%03d".formatted(node);
                var object = (ObjectNode) JSON.readTree(connection.ask("GET", path));
                object.withObject("/spec").remove("taints");
                connection.send(connection.request("PUT", path, JSON.writeValueAsBytes(object)));
            }
        }
    }

    private void makeNamespace(String name) throws IOException {
        posts.create("/api/v1/namespaces", JSON.readTree("{\"metadata\": {\"name\": \"%s\"}}".formatted(name)));
        posts.create(
                "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaimtemplates".formatted(name),
                YAML.readTree("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one-gpu}
                spec: {spec: %s}
                """.formatted(shape.claim)));
    }

    private void makePods(String namespace, String scheduler) throws Exception {
        posts.inParallel(
                pods,
                number -> new Posts.Made(
                        "/api/v1/namespaces/%s/pods".formatted(namespace), """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "app-%d"}, "spec": {"schedulerName": "%s",
                 "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}],
                 "containers": [{"name": "main", "image": "none",
                  "resources": {"requests": {"cpu": "10m"}, "claims": [{"name": "gpu"}]}}]}}
                """.formatted(number, scheduler)));
    }

    /** Until every pod is told the name of its claim. */
    private void awaitClaims(String namespace) throws Exception {
        await(
                "the claims are not made",
                () -> items("/api/v1/namespaces/%s/pods".formatted(namespace)).stream()
                        .allMatch(
                                pod -> pod.at("/status/resourceClaimStatuses/0").isObject()));
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(String otherwise, Condition condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) throw new IOException(otherwise);
            Thread.sleep(500);
        }
    }

    private List<JsonNode> items(String path) throws IOException {
        try (var connection = new Connection(server)) {
            return JSON.readTree(connection.ask("GET", path))
                    .path("items")
                    .valueStream()
                    .toList();
        }
    }

    /** A quick answer that is wrong is none. */
    private void checkDevices(String namespace) throws IOException {
        var given = new ArrayList<String>();
        for (var claim : items("/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims".formatted(namespace))) {
            for (var result : claim.at("/status/allocation/devices/results")) {
                given.add("%s/%s"
                        .formatted(
                                result.path("pool").asText(),
                                result.path("device").asText()));
            }
        }
        int wanted = pods * shape.devices;
        if (given.size() != wanted || new HashSet<>(given).size() != wanted) {
            throw new IOException("%d pods got %d devices, %d of them different"
                    .formatted(pods, given.size(), new HashSet<>(given).size()));
        }
    }

    private void end(String namespace) throws Exception {
        try (var connection = new Connection(server)) {
            connection.send(connection.request(
                    "DELETE", "/api/v1/namespaces/%s/pods?gracePeriodSeconds=0".formatted(namespace), new byte[0]));
        }
        await(
                "claims are left over",
                () -> items("/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims".formatted(namespace))
                        .isEmpty());
    }
}
