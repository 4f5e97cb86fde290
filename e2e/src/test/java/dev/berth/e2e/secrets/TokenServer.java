package dev.berth.e2e.secrets;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code berth apiserver} that serves whoever has the token, and writes down everything it does. */
final class TokenServer implements Cluster {
    private final String token;
    private final GuardedProcess process;
    private final URI address;
    private final Path kubeconfig;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TokenServer(Path folder, Path log, String token) throws IOException {
        this.token = token;
        int port = Ports.free();
        var tokens = Files.writeString(folder.resolve("tokens.csv"), token + ",admin,admin-uid,\"system:masters\"\n");
        this.address = URI.create("http://127.0.0.1:" + port);
        this.process = BerthProcess.start(
                log,
                "listening",
                "apiserver",
                "--port=" + port,
                "--token-auth-file=" + tokens,
                "--write-kubeconfig=" + folder.resolve("written"),
                "--log-level=trace");
        this.kubeconfig = Files.writeString(folder.resolve("kubeconfig"), kubeconfig(address, "token: " + token));
    }

    static String kubeconfig(URI server, String user) {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: it, cluster: {server: "%s"}}]
                contexts: [{name: it, context: {cluster: it, user: admin}}]
                current-context: it
                users:
                - name: admin
                  user:
                    %s
                """.formatted(server, user);
    }

    @Override
    public String name() {
        return "embedded";
    }

    @Override
    public URI address() {
        return address;
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public HttpClient http() {
        return http;
    }

    @Override
    public Optional<String> token() {
        return Optional.of(token);
    }

    @Override
    public void close() {
        http.shutdownNow();
        process.close();
    }
}
