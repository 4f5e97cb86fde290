package dev.berth.web;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every connection of one listener and what it is doing: the place where time-outs, the bound on concurrent requests
 * and the drain are kept. Helidon tells of a connection only while it serves a request, and waits without end for a
 * client that connects and says nothing; so connections are noted when they are accepted and swept from time to time.
 */
final class Connections implements Filter {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);
    private static final int SHARE_THAT_GOES = 100;

    private final String listener;
    private final Limits limits;
    private final int most;
    private final ErrorReplies errors;
    private final Map<SocketAddress, Connection> open = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean draining;
    private volatile boolean full;

    /** @param most connections at once, where that is fewer than the limits allow */
    Connections(String listener, Limits limits, int most, ErrorReplies errors) {
        this.listener = listener;
        this.limits = limits;
        this.most = Math.min(most, limits.maxConnections());
        this.errors = errors;
    }

    int most() {
        return most;
    }

    /**
     * A connection that is accepted while we drain would be broken soon after: refuse it while that is harmless. Called
     * by the one thread that accepts.
     */
    void accepted(SocketChannel channel) {
        if (draining) {
            throw new IllegalStateException("listener " + listener + " is draining");
        }
        if (open.size() >= most) {
            makeRoom();
        }
        try {
            open.put(channel.getRemoteAddress(), new Connection(channel, System.nanoTime()));
        } catch (IOException e) {
            throw new UncheckedIOException("a connection was gone before it was accepted", e);
        }
    }

    /**
     * Whoever wants something now comes before those who may want something again: the ones that have been silent for
     * longest go, some at a time, since looking for them costs more than closing them.
     */
    private void makeRoom() {
        open.values().removeIf(connection -> !connection.isOpen());
        if (open.size() < most) {
            return;
        }
        if (!full) {
            log.warn(
                    "listener={} connections={} is the most: the longest silent are closed for new ones",
                    listener,
                    most);
            full = true;
        }
        record Silent(SocketAddress address, Connection connection, long since) {}
        // The times go on while they are being sorted: look at each once.
        open.entrySet().stream()
                .filter(entry -> entry.getValue().requests.get() == 0)
                .map(entry -> new Silent(entry.getKey(), entry.getValue(), entry.getValue().quietSince))
                .sorted((a, b) -> Long.signum(a.since() - b.since()))
                .limit(1 + most / SHARE_THAT_GOES)
                .forEach(silent -> {
                    silent.connection().close();
                    open.remove(silent.address(), silent.connection());
                });
        if (open.size() >= most) {
            throw new IllegalStateException("listener " + listener + " has " + most + " connections, and all are busy");
        }
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var connection = of(request);
        connection.requests.incrementAndGet();
        inFlight.incrementAndGet();
        try {
            serve(chain, request, response, connection);
        } finally {
            connection.quietSince = System.nanoTime();
            connection.served = true;
            connection.requests.decrementAndGet();
            inFlight.decrementAndGet();
        }
        if (isHttp1(request) && isLast(request, response)) {
            // Helidon 4.5 writes "Connection: close" and then waits for the client to do it.
            throw new CloseConnectionException("this was the connection's last request");
        }
    }

    private void serve(FilterChain chain, ServerRequest request, ServerResponse response, Connection connection) {
        if (draining && isHttp1(request)) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        var exchange = new Exchange(request, connection);
        request.streamFilter(exchange::limit);
        if (inFlight.get() > limits.maxConcurrentRequests()) {
            errors.reply(request, response, tooMany());
        } else if (request.headers().contentLength().orElse(0) > limits.maxBodyBytes()) {
            // Said before anyone reads, so that a client that waits for "100 Continue" need not send it.
            errors.reply(request, response, RequestBody.tooLarge(limits.maxBodyBytes()));
            if (!request.headers().containsToken(HeaderValues.EXPECT_100)) {
                exchange.refuse();
            }
        } else {
            chain.proceed();
        }
        exchange.end();
    }

    private static boolean isLast(ServerRequest request, ServerResponse response) {
        return response.isSent()
                && (request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
                        || response.headers().containsToken(HeaderValues.CONNECTION_CLOSE));
    }

    private HttpException tooMany() {
        return new HttpException(
                        "too many requests at once (the limit is " + limits.maxConcurrentRequests()
                                + "); try again in a second",
                        Status.SERVICE_UNAVAILABLE_503,
                        false)
                .header(HeaderValues.create(HeaderNames.RETRY_AFTER, "1"));
    }

    private Connection of(ServerRequest request) {
        var address = Optional.ofNullable(request.remotePeer().address());
        var known = address.map(open::get);
        // Not known: the client is gone already. What is left of its request is harmless.
        return known.orElseGet(Connection::new);
    }

    private static boolean isHttp1(ServerRequest request) {
        return request.prologue().protocolVersion().startsWith("1");
    }

    int inFlight() {
        return inFlight.get();
    }

    int open() {
        return open.size();
    }

    void drain() {
        draining = true;
    }

    void sweep(long now) {
        full = full && open.size() > most / 2;
        open.forEach((address, connection) -> {
            if (!connection.isOpen()) {
                open.remove(address, connection);
                return;
            }
            connection.exchanges.keySet().forEach(exchange -> exchange.check(now));
            if (connection.requests.get() == 0) {
                var patience = connection.served ? limits.idleTimeout() : limits.headerTimeout();
                if (now - connection.quietSince > patience.toNanos()) {
                    log.debug("listener={} client={} closed: silent for {}", listener, address, patience);
                    connection.close();
                    open.remove(address, connection);
                }
            }
        });
    }

    private final class Exchange {
        private final ServerRequest request;
        private final Connection connection;
        private volatile @Nullable RequestBody body;

        Exchange(ServerRequest request, Connection connection) {
            this.request = request;
            this.connection = connection;
        }

        InputStream limit(InputStream in) {
            var limited = new RequestBody(in, limits.maxBodyBytes(), limits.bodyTimeout(), this::wake);
            body = limited;
            connection.exchanges.put(this, true);
            return limited;
        }

        void refuse() {
            if (request.content().inputStream() instanceof RequestBody unread) {
                unread.refuse();
            }
        }

        void check(long now) {
            var current = body;
            if (current != null) {
                current.check(now);
            }
        }

        /**
         * On HTTP/1.1 the connection's input is this body; on HTTP/2 others share it, and the reader waits on a queue.
         */
        private void wake(Thread reader) {
            if (isHttp1(request)) {
                connection.shutdownInput();
            } else {
                reader.interrupt();
            }
        }

        void end() {
            var current = body;
            if (current != null) {
                current.discardIfRefused();
                connection.exchanges.remove(this);
            }
        }
    }

    private static final class Connection {
        private final @Nullable SocketChannel channel;
        private final AtomicInteger requests = new AtomicInteger();
        private final Map<Exchange, Boolean> exchanges = new ConcurrentHashMap<>();
        private volatile long quietSince;
        private volatile boolean served;

        Connection() {
            this.channel = null;
        }

        Connection(SocketChannel channel, long now) {
            this.channel = channel;
            this.quietSince = now;
        }

        boolean isOpen() {
            return channel != null && channel.isOpen();
        }

        void shutdownInput() {
            try {
                if (channel != null) {
                    channel.shutdownInput();
                }
            } catch (IOException e) {
                log.debug("client gone while it was being cut off", e);
            }
        }

        void close() {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                log.debug("client gone while it was being cut off", e);
            }
        }
    }
}
