package dev.berth.e2e.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

/** Stands before an API server: what a proxy needs, whatever it does to the requests that pass. */
final class Relay implements AutoCloseable {
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade", "http2-settings");

    private final Cluster cluster;
    private final HttpServer server;
    private final Path kubeconfig;

    private Relay(Cluster cluster, HttpHandler handler) throws IOException {
        this.cluster = cluster;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", handler);
        server.start();
        int port = server.getAddress().getPort();
        kubeconfig = Kubeconfig.write(
                E2eFolder.target("proxy/kubeconfig-" + port),
                URI.create("http://127.0.0.1:" + port),
                Optional.empty(),
                cluster.token());
    }

    static Relay start(Cluster cluster, HttpHandler handler) {
        try {
            return new Relay(cluster, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For an administrator who comes through here. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** The server's answer to what was asked here. */
    HttpResponse<InputStream> ask(HttpExchange exchange) throws IOException, InterruptedException {
        return ask(request(exchange));
    }

    HttpResponse<InputStream> ask(HttpRequest request) throws IOException, InterruptedException {
        return cluster.http().send(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    /** What was asked here, as the server is to be asked; it can be read only once. */
    HttpRequest request(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var request = HttpRequest.newBuilder(
                        cluster.address().resolve(exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            // Compressed answers would be passed on in blocks of the compression, not in events.
            if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT)) && !name.equalsIgnoreCase("Accept-Encoding")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    /** Passes on status and headers; whether a body follows. */
    static boolean head(HttpResponse<?> response, HttpExchange exchange) throws IOException {
        response.headers().map().forEach((name, values) -> {
            if (!name.startsWith(":") && !HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        boolean empty =
                response.statusCode() == 204 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.statusCode(), empty ? -1 : 0);
        return !empty;
    }

    static boolean watches(HttpExchange exchange) {
        var query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
        return Arrays.stream(query.split("&"))
                .anyMatch(part -> List.of("watch=true", "watch=1").contains(part));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
