package dev.berth.assigner;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between the assigner and the API server, and answers some requests itself: with a refusal. */
final class Obstacle implements AutoCloseable {
    /** What is refused and how: method and part of the path, to the status. */
    private final Map<String, Integer> refused = new ConcurrentHashMap<>();

    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    Obstacle(URI target) {
        this.target = target;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException problem) {
            throw new AssertionError(problem);
        }
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on these are answered with this status. */
    void refuse(String method, String part, int status) {
        refused.put(method + " " + part, status);
    }

    void clear() {
        refused.clear();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            var status = refused.entrySet().stream()
                    .filter(rule -> matches(asked, rule.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst();
            if (status.isPresent()) {
                var words =
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"not here\",\"code\":%d}"
                                .formatted(status.get())
                                .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(status.get(), words.length);
                exchange.getResponseBody().write(words);
                return;
            }
            forward(exchange, body);
        }
    }

    private static boolean matches(String asked, String rule) {
        int space = rule.indexOf(' ');
        return asked.startsWith(rule.substring(0, space + 1)) && asked.contains(rule.substring(space + 1));
    }

    /** Watches are passed on piece by piece. */
    private void forward(HttpExchange exchange, byte[] body) throws IOException {
        var request = HttpRequest.newBuilder(target.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (var name : new String[] {"Content-Type", "Accept"}) {
            var value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        try {
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(response.statusCode(), 0);
            try (var in = response.body()) {
                var buffer = new byte[8192];
                int count;
                while ((count = in.read(buffer)) >= 0) {
                    exchange.getResponseBody().write(buffer, 0, count);
                    exchange.getResponseBody().flush();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
