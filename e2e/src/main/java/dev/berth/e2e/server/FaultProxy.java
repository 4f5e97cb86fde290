package dev.berth.e2e.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Stands before an API server and makes it fail the way a test wants: refusals, lost answers, delays, cut watches. */
public final class FaultProxy implements AutoCloseable {
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade", "http2-settings");

    /** What happens to a request. */
    public sealed interface Fault {
        Fault NONE = new Pass();

        record Pass() implements Fault {}

        /** The server answers this code and has not done it. */
        record Refuse(int code) implements Fault {}

        /** The server has done it, and the answer is this code all the same. */
        record Lose(int code) implements Fault {}

        /** It takes longer. */
        record Slow(Duration by) implements Fault {}

        /** Runs, and the request never arrives. */
        record Before(Runnable action) implements Fault {}

        /** Runs when the server has done it and nobody has been told. */
        record After(Runnable action) implements Fault {}
    }

    /** A request as a fault is chosen for it. */
    public record Request(String method, String path, boolean watch) {}

    private final Cluster cluster;
    private final HttpServer server;
    private final Path kubeconfig;
    private final Set<InputStream> watches = ConcurrentHashMap.newKeySet();
    private volatile Function<Request, Fault> plan = request -> Fault.NONE;

    private FaultProxy(Cluster cluster) throws IOException {
        this.cluster = cluster;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::pass);
        server.start();
        int port = server.getAddress().getPort();
        kubeconfig = Kubeconfig.write(
                E2eFolder.target("proxy/kubeconfig-" + port),
                URI.create("http://127.0.0.1:" + port),
                Optional.empty(),
                cluster.token());
    }

    public static FaultProxy start(Cluster cluster) {
        try {
            return new FaultProxy(cluster);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For an administrator who comes through here. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** What happens to requests from now on. */
    public void plan(Function<Request, Fault> faults) {
        plan = faults;
    }

    /** Ends every watch that is open. */
    public void cutWatches() {
        for (var watch : watches) {
            try {
                watch.close();
            } catch (IOException gone) {
                // As wished.
            }
        }
    }

    private void pass(HttpExchange exchange) throws IOException {
        var uri = exchange.getRequestURI();
        boolean watch = Optional.ofNullable(uri.getQuery()).orElse("").contains("watch=true");
        var fault = plan.apply(new Request(exchange.getRequestMethod(), uri.getPath(), watch));
        try (exchange) {
            switch (fault) {
                case Fault.Pass pass -> forward(exchange, watch, 0, () -> {});
                case Fault.Refuse(int code) -> refuse(exchange, code);
                case Fault.Lose(int code) -> forward(exchange, watch, code, () -> {});
                case Fault.Slow(var by) -> {
                    Thread.sleep(by);
                    forward(exchange, watch, 0, () -> {});
                }
                case Fault.Before(var action) -> action.run();
                case Fault.After(var action) -> forward(exchange, watch, 0, action);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuse(HttpExchange exchange, int code) throws IOException {
        exchange.getRequestBody().readAllBytes();
        var body =
                ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"made up by a test\",\"code\":"
                                + code + "}")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    private void forward(HttpExchange exchange, boolean watch, int loseWith, Runnable after)
            throws IOException, InterruptedException {
        var response = cluster.http().send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
        after.run();
        try (var body = response.body()) {
            if (loseWith > 0) {
                body.readAllBytes();
                refuse(exchange, loseWith);
                return;
            }
            response.headers().map().forEach((name, values) -> {
                if (!name.startsWith(":") && !HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean empty =
                    response.statusCode() == 204 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(response.statusCode(), empty ? -1 : 0);
            if (watch) {
                copyWatch(body, exchange);
            } else if (!empty) {
                body.transferTo(exchange.getResponseBody());
            }
        }
    }

    private void copyWatch(InputStream body, HttpExchange exchange) throws IOException {
        watches.add(body);
        try {
            var buffer = new byte[1 << 16];
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                exchange.getResponseBody().write(buffer, 0, count);
                exchange.getResponseBody().flush();
            }
        } finally {
            watches.remove(body);
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var request = HttpRequest.newBuilder(
                        cluster.address().resolve(exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT)) && !name.equalsIgnoreCase("Accept-Encoding")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
