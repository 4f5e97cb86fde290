package dev.berth.bench.door;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The same request again and again on a few connections that are kept open, each sent when the answer before it is
 * there. One thread waits for all of them, so that the load takes as little as can be of the machine that it measures.
 */
final class SteadyLoad {
    private static final int MOST_BYTES = 1 << 16;
    private static final byte[] LENGTH = {'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h', ':'};
    private static final long SLOWEST_MICROS = 60_000_000;

    private final Histogram latencies = new Histogram(SLOWEST_MICROS, 3);
    private final byte[] request;

    /** What is known of a connection between two turns. */
    private static final class Link {
        private final SocketChannel channel;
        private final ByteBuffer outgoing;
        private final ByteBuffer incoming = ByteBuffer.allocateDirect(MOST_BYTES);
        private long sent;

        Link(SocketChannel channel, byte[] request) {
            this.channel = channel;
            this.outgoing = ByteBuffer.allocateDirect(request.length).put(request);
        }

        void send() throws IOException {
            outgoing.rewind();
            sent = System.nanoTime();
            while (outgoing.hasRemaining()) channel.write(outgoing);
        }

        /** Whether an answer is complete; anything but success is a failure. */
        boolean receive() throws IOException {
            if (channel.read(incoming) < 0) throw new EOFException("the server closed the connection");
            int body = endOfHead();
            if (body < 0 || incoming.position() < body + length(body)) return false;
            if (incoming.get(9) != '2') throw new IOException("answered with " + text());
            incoming.clear();
            return true;
        }

        private int endOfHead() {
            for (int i = 3; i < incoming.position(); i++) {
                if (incoming.get(i) == '\n' && incoming.get(i - 2) == '\n') return i + 1;
            }
            return -1;
        }

        private int length(int head) {
            for (int i = 0; i + LENGTH.length < head; i++) {
                if (begins(i)) return number(i + LENGTH.length);
            }
            return 0;
        }

        private boolean begins(int at) {
            for (int i = 0; i < LENGTH.length; i++) {
                if ((incoming.get(at + i) | 0x20) != (LENGTH[i] | 0x20)) return false;
            }
            return true;
        }

        private int number(int at) {
            int value = 0;
            for (int i = at; incoming.get(i) != '\r'; i++) {
                if (incoming.get(i) != ' ') value = value * 10 + incoming.get(i) - '0';
            }
            return value;
        }

        private String text() {
            byte[] bytes = new byte[incoming.position()];
            incoming.flip().get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private SteadyLoad(byte[] request) {
        this.request = request;
    }

    /** Latencies in microseconds. */
    static Histogram on(URI server, byte[] request, int connections, Duration time) throws IOException {
        var load = new SteadyLoad(request);
        try (var selector = Selector.open()) {
            try {
                load.run(server, connections, time, selector);
            } finally {
                for (var key : selector.keys()) key.channel().close();
            }
        }
        return load.latencies;
    }

    private void run(URI server, int connections, Duration time, Selector selector) throws IOException {
        for (int i = 0; i < connections; i++) {
            var channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            var link = new Link(channel, request);
            channel.register(selector, SelectionKey.OP_READ, link);
            link.send();
        }
        long deadline = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < deadline) selector.select(this::turn, 1000);
    }

    private void turn(SelectionKey key) {
        var link = (Link) key.attachment();
        try {
            if (link.receive()) {
                latencies.recordValue((System.nanoTime() - link.sent) / 1000);
                link.send();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
