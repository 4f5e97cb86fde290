package dev.berth.e2e.server;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;

/** The embedded API server, in this JVM. */
public final class EmbeddedServer implements Cluster {
    private final URI address;
    private final HttpClient http = Https.plain();
    private final Path kubeconfig;

    private final ApiServer server;

    private EmbeddedServer(ApiServer server) {
        this.server = server;
        address = URI.create(server.url());
        var port = address.getPort();
        kubeconfig = Kubeconfig.write(
                E2eFolder.target("embedded/kubeconfig-" + port), address, Optional.empty(), Optional.empty());
    }

    public static EmbeddedServer start(boolean controllers) {
        var settings = ApiServerSettings.defaults().withPort(0);
        return new EmbeddedServer(ApiServer.start(controllers ? settings : settings.withoutControllers()));
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
        return Optional.empty();
    }

    @Override
    public void close() {
        http.shutdownNow();
        server.close();
    }
}
