package dev.berth.e2e.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

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
    }

    /** A request as a fault is chosen for it. */
    public record Request(String method, String path, boolean watch) {}

    private final Relay relay;
    private final Set<InputStream> watches = ConcurrentHashMap.newKeySet();
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
        var response = relay.ask(exchange);
        after.run();
        try (var body = response.body()) {
            if (loseWith > 0) {
                body.readAllBytes();
                refuse(exchange, loseWith);
                return;
            }
            boolean filled = Relay.head(response, exchange);
            if (watch) {
                copyWatch(body, exchange);
            } else if (filled) {
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

    @Override
    public void close() {
        relay.close();
    }
}
