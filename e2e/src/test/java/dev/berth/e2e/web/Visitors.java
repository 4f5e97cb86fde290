package dev.berth.e2e.web;

import dev.berth.e2e.server.Credulous;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;

/** People who connect to one listener, ask it something, and stay without another word. */
final class Visitors implements AutoCloseable {
    private static final int AT_ONCE = 32;
    private static final int PATIENCE_MILLIS = 20_000;

    private final int port;
    private final boolean tls;
    private final SSLContext context = Credulous.context();
    private final Queue<Socket> staying = new ConcurrentLinkedQueue<>();

    Visitors(int port, boolean tls) {
        this.port = port;
        this.tls = tls;
    }

    /** Each of them asks once, is answered, and stays; how many were not answered. */
    int come(int many) throws InterruptedException {
        var failures = new ConcurrentLinkedQueue<Exception>();
        var room = new Semaphore(AT_ONCE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < many; number++) {
                room.acquire();
                threads.execute(() -> {
                    try {
                        staying.add(ask("/healthz"));
                    } catch (IOException e) {
                        failures.add(e);
                    } finally {
                        room.release();
                    }
                });
            }
        }
        return failures.size();
    }

    /** One who comes, asks and goes; how long he waited from the first packet to the answer. */
    Duration passer(String path) throws IOException {
        long start = System.nanoTime();
        ask(path).close();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The connection, after a 200. What TLS needs on this side is let go: ten thousand of it would be the test's. */
    private Socket ask(String path) throws IOException {
        var socket = new Socket();
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            var secure = tls ? context.getSocketFactory().createSocket(socket, "127.0.0.1", port, false) : socket;
            secure.getOutputStream()
                    .write("GET %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(path).getBytes(StandardCharsets.US_ASCII));
            secure.getOutputStream().flush();
            var answer = new byte[1 << 16];
            int length = secure.getInputStream().read(answer);
            var text = length < 0 ? "nothing" : new String(answer, 0, length, StandardCharsets.UTF_8);
            if (!text.startsWith("HTTP/1.1 200")) throw new IOException("%s was answered %s".formatted(path, text));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** All of them go. */
    @Override
    public void close() throws IOException {
        for (var socket : staying) socket.close();
        staying.clear();
    }
}
