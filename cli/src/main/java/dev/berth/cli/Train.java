package dev.berth.cli;

import dev.berth.advisor.agent.AgentSettings;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.cli.up.Door;
import dev.berth.cli.up.OpenDoors;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Run once by the build to fill the AOT cache: does what commands do at their start, and ends. */
@Command(name = "train", hidden = true, description = "Exercise start-up for the AOT cache.")
final class Train implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    private static final List<String> PODS = List.of(
            "metadata: {name: plain}\nspec: {containers: [{name: c, image: i}]}",
            "metadata: {name: assigned, labels: {fudo.org/gpu.a100: \"\"}}\nspec: {containers: [{name: c, image: i}]}",
            "metadata: {name: shared}\nspec: {schedulerName: gpu-admission-scheduler, containers: [{name: c, image: i, resources: {limits: {tencent.com/vcuda-core: 50, tencent.com/vcuda-memory: 8}}}]}",
            "metadata: {name: advised, annotations: {app.kubernetes.io/job-type: train}}\nspec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}");

    @Option(names = "--short", description = "Only what every command does.")
    private boolean commandLineOnly;

    @Option(names = "--up", description = "Every door at once.")
    private boolean everyDoor;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var nowhere = new PrintWriter(Writer.nullWriter());
        Berth.execute(nowhere, nowhere, "--help");
        Berth.execute(nowhere, nowhere, "--version");
        Berth.execute(nowhere, nowhere, "up", "--help");
        Berth.execute(nowhere, nowhere, "upp");
        if (everyDoor) openEveryDoor();
        else if (!commandLineOnly) serveAndConnect();
        return 0;
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
    private static void openEveryDoor() throws IOException, InterruptedException {
        var clock = InstantSource.system();
        Path folder = Files.createTempDirectory("berth");
        Path kubeconfig = folder.resolve("kubeconfig");
        Path database = folder.resolve("advisor.db");
        try (var own = OwnCluster.start(new OwnCluster.Settings(0, Optional.empty(), 4, 8, true), clock)) {
            Files.writeString(kubeconfig, own.kubeconfig());
            var agent = AgentSettings.of(Map.of("SCHEDULER_SQLITE_PATH", database.toString()));
            var settings = new OpenDoors.Settings(
                    EnumSet.allOf(Door.class), true, "127.0.0.1", "train", Version.current(), agent);
            try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()));
                    var doors = OpenDoors.open(cluster, settings, clock)) {
                if (!doors.awaitReady(PATIENCE)) throw new IllegalStateException("the doors are not ready");
                for (String pod : PODS) place(cluster, pod);
            }
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) Files.delete(file);
            }
            Files.delete(folder);
        }
    }

    private static void place(Cluster cluster, String yaml) throws InterruptedException {
        var pods = cluster.client().pods().inNamespace("default");
        var pod = cluster.client().getKubernetesSerialization().unmarshal(yaml, Pod.class);
        pods.resource(pod).create();
        var name = pod.getMetadata().getName();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (pods.withName(name).get().getSpec().getNodeName() == null) {
            if (System.nanoTime() > deadline) throw new IllegalStateException(name + " is not placed");
            Thread.sleep(LOOK_AGAIN);
        }
    }
}
