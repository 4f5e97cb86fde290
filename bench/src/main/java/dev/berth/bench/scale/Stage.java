package dev.berth.bench.scale;

import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** An API server that is ready for the doors, with the ledger's kind installed and nothing else. */
public record Stage(Target server, Path kubeconfig, Path folder) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * @param which {@code embedded}, or the directory of the real binaries
     * @param options for the JVM of the embedded one
     */
    public static Stage open(String which, Path launcher, String options) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("bench");
        boolean embedded = which.equals("embedded");
        // The nodes and owners of the pods that come have no controllers that would be content with them.
        var server = embedded
                ? Servers.embedded("cluster", "http", launcher, options, folder, "--no-controllers")
                : Servers.real(Path.of(which), folder);
        try {
            server.awaitReady(PATIENCE);
            var kubeconfig = embedded ? folder.resolve("http.kubeconfig") : Servers.kubeconfig(server, folder);
            // The embedded server writes it when it is up.
            for (int look = 0; look < 100 && !Files.exists(kubeconfig); look++) Thread.sleep(100);
            try (var client = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                NodeLedgerDefinition.install(client);
            }
            return new Stage(server, kubeconfig, folder);
        } catch (IOException | InterruptedException | RuntimeException failed) {
            server.close();
            throw failed;
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
