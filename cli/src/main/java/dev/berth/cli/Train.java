package dev.berth.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.agent.AgentSettings;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.cli.up.Door;
import dev.berth.cli.up.OpenDoors;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.pod.PodPath;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Run once by the build to fill the AOT cache: does what commands do at their start, and ends. */
@Command(name = "train", hidden = true, description = "Exercise start-up for the AOT cache.")
final class Train implements Callable<Integer> {
    /** A build may run on a machine that does much else, and a training takes notes of everything. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Set<Door> EVERY = Collections.unmodifiableSet(EnumSet.allOf(Door.class));
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    private static final Map<Door, String> PODS = Map.of(
            Door.SCHEDULER,
            "metadata: {name: plain}\nspec: {containers: [{name: c, image: i}]}",
            Door.ASSIGNER,
            "metadata: {name: assigned, labels: {fudo.org/gpu.a100: \"\"}}\nspec: {containers: [{name: c, image: i}]}",
            Door.PINNER,
            "metadata: {name: pinned-0, annotations: {gpu-scheduling-map: \"0=gpu-node-3:6,7\"}}\nspec: {schedulerName: gpu-scheduler, containers: [{name: c, image: i}]}",
            Door.EXTENDER,
            "metadata: {name: shared}\nspec: {schedulerName: gpu-admission-scheduler, containers: [{name: c, image: i, resources: {limits: {tencent.com/vcuda-core: 50, tencent.com/vcuda-memory: 8}}}]}",
            Door.ADVISOR,
            "metadata: {name: advised, annotations: {app.kubernetes.io/job-type: train}}\nspec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}");

    @Option(names = "--short", description = "Only what every command does.")
    private boolean commandLineOnly;

    @Option(names = "--up", description = "Every door at once, and the API server with them.")
    private boolean withServer;

    @Option(names = "--apiserver", description = "The API server alone.")
    private boolean serverOnly;

    @Option(names = "--doors", paramLabel = "NAME", split = ",", description = "These doors alone.")
    private Set<Door> doors = EVERY;

    @Option(names = "--cluster", paramLabel = "FILE", description = "Be the cluster of another that trains.")
    private Optional<Path> kubeconfigOfCluster = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (kubeconfigOfCluster.isPresent()) {
            beCluster(kubeconfigOfCluster.get());
            return 0;
        }
        if (doors.equals(EVERY)) ask("--help", "--version", "up --help", "upp");
        // A cache is resident with all that is in it: what only other commands need stays out.
        else doors.stream().filter(door -> door != Door.SCHEDULER).forEach(door -> ask(door.label() + " --help"));
        if (serverOnly) serveAndConnect();
        else if (withServer) openBesideServer();
        else if (!commandLineOnly) openDoors(doors);
        return 0;
    }

    private static void ask(String... commands) {
        var nowhere = new PrintWriter(Writer.nullWriter());
        for (var command : commands) Berth.execute(nowhere, nowhere, command.split(" "));
    }

    private static void serveAndConnect() throws IOException {
        Path kubeconfig = Files.createTempFile("berth", ".kubeconfig");
        try (ApiServer server = ApiServer.start(ApiServerSettings.defaults().withPort(0));
                var nodes = new SimulatedNodes(server.api(), InstantSource.system(), Up.KUBELET_VERSION)) {
            Definitions.install(server.api());
            nodes.add("node", 2, NodeShape.withGpus(8, "model", 1024));
            Files.writeString(kubeconfig, server.kubeconfig());
            try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                cluster.client().nodes().list();
            }
        } finally {
            Files.delete(kubeconfig);
        }
    }

    /** As up does it: whatever a door needs at its start is in here. */
    private static void openBesideServer() throws IOException, InterruptedException {
        try (var folder = Folder.create();
                var cluster = cluster()) {
            Files.writeString(folder.kubeconfig(), cluster.kubeconfig());
            open(folder, EVERY);
        }
    }

    /** The cluster is a process of its own: what only an API server needs is not in the doors' cache. */
    private static void openDoors(Set<Door> doors) throws IOException, InterruptedException {
        try (var folder = Folder.create()) {
            var java = ProcessHandle.current().info().command().orElse("java");
            var process = new ProcessBuilder(
                            java,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Berth.class.getName(),
                            "train",
                            "--cluster",
                            folder.kubeconfig().toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            // It ends when nobody is there to write to it.
            try (var _ = process.getOutputStream()) {
                await("the cluster's kubeconfig", () -> Files.exists(folder.kubeconfig()));
                open(folder, doors);
            } finally {
                if (!process.waitFor(PATIENCE)) process.destroyForcibly();
            }
        }
    }

    private static void beCluster(Path kubeconfig) throws IOException {
        try (var cluster = cluster()) {
            var whole = kubeconfig.resolveSibling("kubeconfig.part");
            Files.writeString(whole, cluster.kubeconfig());
            Files.move(whole, kubeconfig, StandardCopyOption.ATOMIC_MOVE);
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static OwnCluster cluster() {
        return OwnCluster.start(new OwnCluster.Settings(0, Optional.empty(), 4, 8, true), InstantSource.system());
    }

    private static void open(Folder folder, Set<Door> doors) throws IOException, InterruptedException {
        var database = folder.path().resolve("advisor.db").toString();
        var agent = AgentSettings.of(Map.of("SCHEDULER_SQLITE_PATH", database));
        var settings = new OpenDoors.Settings(doors, true, "127.0.0.1", "train", Version.current(), agent);
        try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(folder.kubeconfig()), Optional.empty()));
                var opened = OpenDoors.open(cluster, settings, InstantSource.system())) {
            if (!opened.awaitReady(PATIENCE)) throw new IllegalStateException("the doors are not ready");
            for (Door door : doors) {
                var pod = PODS.get(door);
                if (pod != null) place(cluster, pod);
            }
        }
    }

    /** Where a training keeps its files. */
    private record Folder(Path path) implements AutoCloseable {
        static Folder create() throws IOException {
            return new Folder(Files.createTempDirectory("berth"));
        }

        Path kubeconfig() {
            return path.resolve("kubeconfig");
        }

        @Override
        public void close() throws IOException {
            try (var files = Files.list(path)) {
                for (Path file : files.toList()) Files.delete(file);
            }
            Files.delete(path);
        }
    }

    /** The pod is not read as one here: what reads all of a pod would be in the cache, and no door needs it. */
    private static void place(Cluster cluster, String yaml) throws InterruptedException {
        var pod = cluster.serialization().unmarshal(yaml, ObjectNode.class);
        var name = pod.at("/metadata/name").asText();
        cluster.courier().tell("POST", "/api/v1/namespaces/default/pods", pod);
        await(
                name + " to be placed",
                () -> cluster.courier()
                        .get(PodPath.of("default", name), ObjectNode.class)
                        .filter(found -> found.path("spec").has("nodeName"))
                        .isPresent());
    }

    private static void await(String what, BooleanSupplier there) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!there.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new IllegalStateException("waited for " + what + " in vain");
            Thread.sleep(LOOK_AGAIN);
        }
    }
}
