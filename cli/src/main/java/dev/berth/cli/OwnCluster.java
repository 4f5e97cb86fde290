package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.cli.up.Fleet;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** A cluster for trying out: the embedded API server, and simulated nodes of several kinds. */
public final class OwnCluster implements AutoCloseable {
    /**
     * @param port the API server's; 0 takes a free one
     * @param forDoors whether the nodes publish their GPUs as the doors want it
     */
    public record Settings(int port, Optional<Path> dataDir, int nodes, int gpus, boolean forDoors) {}

    private final ApiServer server;
    private final SimulatedNodes kubelets;

    private OwnCluster(ApiServer server, SimulatedNodes kubelets) {
        this.server = server;
        this.kubelets = kubelets;
    }

    public static OwnCluster start(Settings settings, InstantSource clock) {
        var defaults = ApiServerSettings.defaults().withPort(settings.port());
        var server =
                ApiServer.start(settings.dataDir().map(defaults::withDataDir).orElse(defaults));
        Definitions.install(server.api());
        var kubelets = new SimulatedNodes(server.api(), clock, Up.KUBELET_VERSION);
        new Fleet(server.api(), kubelets).add(settings.nodes(), settings.gpus(), settings.forDoors());
        return new OwnCluster(server, kubelets);
    }

    String url() {
        return server.url();
    }

    String kubeconfig() {
        return server.kubeconfig();
    }

    public Api api() {
        return server.api();
    }

    SimulatedNodes kubelets() {
        return kubelets;
    }

    @Override
    public void close() {
        kubelets.close();
        server.close();
    }
}
