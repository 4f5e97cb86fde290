package dev.berth.e2e.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stands before an API server and holds back what watches bring, by a fixed time, as a loaded cluster does. All other
 * requests pass at once: whoever relies on what he has heard decides on an old picture, whoever asks sees the new one.
 */
public final class DelayingProxy implements AutoCloseable {
    private static final int MOST_WAITING = 100_000;

    private final Duration delay;
    private final Relay relay;

    /** Bytes that a watch brought, and when they may go on; no bytes at its end. */
    private record Parcel(long due, ByteBuffer bytes) {}

    private DelayingProxy(Cluster cluster, Duration delay) {
        this.delay = delay;
        this.relay = Relay.start(cluster, this::pass);
    }

    public static DelayingProxy start(Cluster cluster, Duration delay) {
        return new DelayingProxy(cluster, delay);
    }

    /** For an administrator who comes through here. */
    public Path kubeconfig() {
        return relay.kubeconfig();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var response = relay.ask(exchange);
            if (Relay.head(response, exchange)) {
                try (var body = response.body()) {
                    if (Relay.watches(exchange) && response.statusCode() == 200) {
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
        relay.close();
    }
}
