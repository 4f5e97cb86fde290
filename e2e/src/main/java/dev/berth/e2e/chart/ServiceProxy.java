package dev.berth.e2e.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** One port of a Service: takes connections and hands each to the next pod that is ready, as kube-proxy does. */
final class ServiceProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2000;

    private final ServerSocket socket;
    private final Supplier<List<InetSocketAddress>> backends;
    private final AtomicInteger turn = new AtomicInteger();

    ServiceProxy(InetSocketAddress address, Supplier<List<InetSocketAddress>> backends) {
        this.backends = backends;
        try {
            socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(address, 1024);
        } catch (IOException e) {
            throw new UncheckedIOException("a Service cannot be served on " + address, e);
        }
        Thread.ofVirtual().name("service-" + address).start(this::accept);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                var client = socket.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try (client;
                var server = new Socket()) {
            var ready = backends.get();
            if (ready.isEmpty()) return;
            server.connect(ready.get(Math.floorMod(turn.getAndIncrement(), ready.size())), CONNECT_MILLIS);
            var back = Thread.ofVirtual().start(() -> copy(server, client));
            copy(client, server);
            back.join();
        } catch (IOException e) {
            // The client sees a connection that ends, which is what it would see of a pod that is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            quietlyClose(from);
            quietlyClose(to);
        }
    }

    private static void quietlyClose(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed already
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }
}
