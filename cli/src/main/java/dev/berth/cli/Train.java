package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Run once by the build to fill the AOT cache: does what commands do at their start, and ends. */
@Command(name = "train", hidden = true, description = "Exercise start-up for the AOT cache.")
final class Train implements Callable<Integer> {
    @Option(names = "--short", description = "Only what every command does.")
    private boolean commandLineOnly;

    @Override
    public Integer call() throws IOException {
        var nowhere = new PrintWriter(Writer.nullWriter());
        Berth.execute(nowhere, nowhere, "--help");
        Berth.execute(nowhere, nowhere, "--version");
        Berth.execute(nowhere, nowhere, "up", "--help");
        Berth.execute(nowhere, nowhere, "upp");
        if (!commandLineOnly) serveAndConnect();
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
}
