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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stands before an API server and holds back what watches bring, by a fixed time, as a loaded cluster does. All other
 * requests pass at once: whoever relies on what he has heard decides on an old picture, whoever asks sees the new one.
 */
public final class DelayingProxy implements AutoCloseable {
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade", "http2-settings");
    private static final int MOST_WAITING = 100_000;

    private final Cluster cluster;
    private final Duration delay;
    private final HttpServer server;
    private final Path kubeconfig;

    /** Bytes that a watch brought, and when they may go on; no bytes at its end. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares parcels
    private record Parcel(long due, ByteBuffer bytes) {}

    private DelayingProxy(Cluster cluster, Duration delay) throws IOException {
        this.cluster = cluster;
        this.delay = delay;
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

    public static DelayingProxy start(Cluster cluster, Duration delay) {
        try {
            return new DelayingProxy(cluster, delay);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For an administrator who comes through here. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var response = cluster.http().send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
            response.headers().map().forEach((name, values) -> {
                if (!name.startsWith(":") && !HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean empty =
                    response.statusCode() == 204 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(response.statusCode(), empty ? -1 : 0);
            if (!empty) {
                try (var body = response.body()) {
                    if (watches(exchange.getRequestURI()) && response.statusCode() == 200) {
                        passLate(body, exchange);
                    } else {
                        body.transferTo(exchange.getResponseBody());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
            // Compressed answers would be passed on in blocks of the compression, not in events.
            if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT)) && !name.equalsIgnoreCase("Accept-Encoding")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static boolean watches(URI uri) {
        var query = Optional.ofNullable(uri.getQuery()).orElse("");
        return Arrays.stream(query.split("&"))
                .anyMatch(part -> List.of("watch=true", "watch=1").contains(part));
    }

    private void passLate(InputStream body, HttpExchange exchange) throws IOException, InterruptedException {
        BlockingQueue<Parcel> parcels = new LinkedBlockingQueue<>(MOST_WAITING);
        var reader = Thread.ofVirtual().name("held-back-watch").start(() -> read(body, parcels));
        try {
            var out = exchange.getResponseBody();
            while (true) {
                var parcel = parcels.take();
                if (!parcel.bytes().hasRemaining()) {
                    return;
                }
                long wait = parcel.due() - System.nanoTime();
                if (wait > 0) {
                    TimeUnit.NANOSECONDS.sleep(wait);
                }
                out.write(parcel.bytes().array(), 0, parcel.bytes().limit());
                out.flush();
            }
        } finally {
            reader.interrupt();
        }
    }

    private void read(InputStream body, BlockingQueue<Parcel> parcels) {
        var buffer = new byte[1 << 16];
        try {
            try {
                for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                    if (count > 0) {
                        parcels.put(new Parcel(
                                System.nanoTime() + delay.toNanos(), ByteBuffer.wrap(Arrays.copyOf(buffer, count))));
                    }
                }
            } catch (IOException broken) {
                // The server, or whoever watches, has gone: the watch ends, as it would without a proxy.
            }
            parcels.put(new Parcel(System.nanoTime(), ByteBuffer.allocate(0)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
