package dev.berth.e2e.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Stands before an API server and makes it fail the way a test wants: refusals, lost answers, delays, cut watches. */
public final class FaultProxy implements AutoCloseable {
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

        /** The server has done it, and the connection breaks before anybody hears of it. */
        record Drop() implements Fault {}

        /** It arrives twice, and the second answer is passed on. Not for a watch, which has no end. */
        record Twice() implements Fault {}

        /** A watch breaks off in the middle of an object, when so many pieces have come whole. */
        record Tear(int pieces) implements Fault {}

        /** A watch begins where somebody's began before: what has been seen comes once more. */
        record Replay() implements Fault {}
    }

    /** A request as a fault is chosen for it. */
    public record Request(String method, String path, boolean watch) {}

    private static final Pattern VERSION = Pattern.compile("resourceVersion=\\d+");

    private final Relay relay;
    private final Set<InputStream> watches = ConcurrentHashMap.newKeySet();
    /** Where the first watch of each path began. */
    private final Map<String, String> firstVersions = new ConcurrentHashMap<>();

    private volatile Function<Request, Fault> plan = request -> Fault.NONE;

    private FaultProxy(Cluster cluster) {
        this.relay = Relay.start(cluster, this::pass);
    }

    public static FaultProxy start(Cluster cluster) {
        return new FaultProxy(cluster);
    }

    /** For an administrator who comes through here. */
    public Path kubeconfig() {
        return relay.kubeconfig();
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
        boolean watch = Relay.watches(exchange);
        if (watch) remember(uri);
        var fault = plan.apply(new Request(exchange.getRequestMethod(), uri.getPath(), watch));
        try (exchange) {
            var request = relay.request(exchange);
            switch (fault) {
                case Fault.Pass pass -> pass(exchange, request);
                case Fault.Refuse(int code) -> refuse(exchange, code);
                case Fault.Lose(int code) -> {
                    answer(request).close();
                    refuse(exchange, code);
                }
                case Fault.Slow(var by) -> {
                    Thread.sleep(by);
                    pass(exchange, request);
                }
                case Fault.Before(var action) -> action.run();
                case Fault.After(var action) -> {
                    var response = relay.ask(request);
                    action.run();
                    pass(exchange, response, Integer.MAX_VALUE);
                }
                case Fault.Drop() -> answer(request).close();
                case Fault.Twice() -> {
                    answer(request).close();
                    pass(exchange, request);
                }
                case Fault.Tear(int pieces) -> pass(exchange, relay.ask(request), pieces);
                case Fault.Replay() -> pass(exchange, fromTheBeginning(request));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuse(HttpExchange exchange, int code) throws IOException {
        var body =
                ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"made up by a test\",\"code\":"
                                + code + "}")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    /** The whole answer, which nobody gets. */
    private InputStream answer(HttpRequest request) throws IOException, InterruptedException {
        var body = relay.ask(request).body();
        body.readAllBytes();
        return body;
    }

    private void pass(HttpExchange exchange, HttpRequest request) throws IOException, InterruptedException {
        pass(exchange, relay.ask(request), Integer.MAX_VALUE);
    }

    private void pass(HttpExchange exchange, HttpResponse<InputStream> response, int pieces) throws IOException {
        try (var body = response.body()) {
            boolean filled = Relay.head(response, exchange);
            if (Relay.watches(exchange)) {
                copyWatch(body, exchange, pieces);
            } else if (filled) {
                body.transferTo(exchange.getResponseBody());
            }
        }
    }

    private void copyWatch(InputStream body, HttpExchange exchange, int pieces) throws IOException {
        watches.add(body);
        try {
            var buffer = new byte[1 << 16];
            int left = pieces;
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer), left--) {
                exchange.getResponseBody().write(buffer, 0, left > 0 ? count : count / 2);
                exchange.getResponseBody().flush();
                if (left <= 0) return;
            }
        } finally {
            watches.remove(body);
        }
    }

    private void remember(URI watch) {
        var version = VERSION.matcher(watch.toString());
        if (version.find()) firstVersions.putIfAbsent(watch.getPath(), version.group());
    }

    /** A version that is too old by now is the server's to refuse. */
    private HttpRequest fromTheBeginning(HttpRequest request) {
        var asked = request.uri();
        var first = firstVersions.get(asked.getPath());
        if (first == null) return request;
        return HttpRequest.newBuilder(request, (_, _) -> true)
                .uri(URI.create(VERSION.matcher(asked.toString()).replaceFirst(first)))
                .build();
    }

    @Override
    public void close() {
        relay.close();
    }
}
