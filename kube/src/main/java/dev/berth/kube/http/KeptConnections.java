package dev.berth.kube.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Asks one server, over connections that are kept for the next question. A library's client does more, and at a price:
 * Helidon's lets a thread of its own read from each kept connection to hear of its end, wakes it ten times a second,
 * and lets it take the first byte of each answer. Here a connection that has rested is looked at when it is wanted.
 */
public final class KeptConnections implements AutoCloseable {
    /** Servers and what is before them end connections that rest for a minute or more. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(20);
    /** A connection that was used just now is taken as it is. */
    private static final Duration SHORT_REST = Duration.ofMillis(500);

    private static final Duration LOOK = Duration.ofMillis(1);

    private final String host;
    private final int port;
    private final String authority;
    private final Optional<Security> security;
    private final Duration connect;
    private final int most;
    private final LongSupplier nanos;
    /** The one that was used last comes first, so that those who are too many grow old. */
    private final Deque<Connection> resting = new ArrayDeque<>();

    private boolean closed;

    /**
     * How TLS is spoken.
     *
     * @param named whether the certificate must have the server's name
     */
    public record Security(SSLSocketFactory sockets, boolean named) {}

    /**
     * @param server its scheme must have been looked at: TLS is spoken if there is security
     * @param connect how long a connection may take to come about
     * @param most as many are kept while nobody uses them
     */
    public KeptConnections(URI server, Optional<Security> security, Duration connect, int most) {
        this(server, security, connect, most, System::nanoTime);
    }

    KeptConnections(URI server, Optional<Security> security, Duration connect, int most, LongSupplier nanos) {
        this.host = server.getHost();
        this.port = server.getPort() >= 0 ? server.getPort() : security.isPresent() ? 443 : 80;
        this.authority = server.getPort() >= 0 ? host + ":" + port : host;
        this.security = security;
        this.connect = connect;
        this.most = most;
        this.nanos = nanos;
    }

    /**
     * Sends the question and waits for the head of the answer.
     *
     * @param silence how long the server may say nothing, now and while the body comes
     */
    public Answer ask(Question question, Duration silence) throws IOException {
        var request = question.bytes(authority);
        var kept = rested();
        if (kept.isPresent()) {
            try {
                return ask(kept.get(), request, silence);
            } catch (SocketTimeoutException slow) {
                throw slow;
            } catch (IOException broken) {
                // Those who rest will have ended with it: a server that stops ends them all.
                forget();
                if (kept.get().answered() || !question.harmless()) {
                    throw broken;
                }
            }
        }
        return ask(connect(), request, silence);
    }

    private Answer ask(Connection connection, byte[] request, Duration silence) throws IOException {
        boolean done = false;
        try {
            var head = connection.ask(request, silence);
            var body = head.body(connection);
            done = true;
            return new Answer(head, body, once(() -> finish(connection, head, body)));
        } finally {
            if (!done) {
                connection.end();
            }
        }
    }

    private static Runnable once(Runnable action) {
        var did = new AtomicBoolean();
        return () -> {
            if (!did.getAndSet(true)) {
                action.run();
            }
        };
    }

    private void finish(Connection connection, Head head, Body body) {
        boolean kept = false;
        try {
            kept = head.lasting() && body.over() && keep(connection);
        } catch (IOException broken) {
            // It is not kept.
        } finally {
            if (!kept) {
                connection.end();
            }
        }
    }

    private synchronized boolean keep(Connection connection) {
        if (closed || resting.size() >= most) {
            return false;
        }
        connection.rest(nanos.getAsLong());
        resting.addFirst(connection);
        return true;
    }

    /** One that rests and is still there. */
    private Optional<Connection> rested() {
        endTheOld();
        for (var next = poll(); next.isPresent(); next = poll()) {
            var connection = next.get();
            if (!rested(connection, SHORT_REST) || connection.open(LOOK)) {
                return next;
            }
            connection.end();
        }
        return Optional.empty();
    }

    private boolean rested(Connection connection, Duration time) {
        return nanos.getAsLong() - connection.restingSince() > time.toNanos();
    }

    private synchronized Optional<Connection> poll() {
        return Optional.ofNullable(resting.pollFirst());
    }

    private void endTheOld() {
        List<Connection> old = new ArrayList<>();
        synchronized (this) {
            while (!resting.isEmpty() && rested(resting.getLast(), LONGEST_REST)) {
                old.add(resting.removeLast());
            }
        }
        old.forEach(Connection::end);
    }

    private void forget() {
        List<Connection> all;
        synchronized (this) {
            all = List.copyOf(resting);
            resting.clear();
        }
        all.forEach(Connection::end);
    }

    private Connection connect() throws IOException {
        var socket = new EagerSocket();
        boolean done = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            int patience = Math.toIntExact(connect.toMillis());
            try {
                socket.connect(new InetSocketAddress(InetAddress.getByName(bare(host)), port), patience);
            } catch (SocketTimeoutException slow) {
                // Nothing was asked yet, which whoever repeats requests wants to know.
                throw (IOException)
                        new ConnectException("no connection within %d ms".formatted(patience)).initCause(slow);
            }
            socket.setSoTimeout(patience);
            var connection = new Connection(socket, security.isPresent() ? secured(socket, security.get()) : socket);
            done = true;
            return connection;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private SSLSocket secured(Socket socket, Security security) throws IOException {
        var secured = (SSLSocket) security.sockets().createSocket(socket, bare(host), port, true);
        var parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        if (security.named()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** An IPv6 address has brackets in an address line and none elsewhere. */
    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Answers that are being read go on until they are closed. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        forget();
    }
}
