package dev.berth.web;

import static java.util.Objects.requireNonNull;

import dev.berth.web.tls.SwitchingSslContext;
import dev.berth.web.tls.TlsSource;
import dev.berth.web.tls.TlsSource.ClientCertificates;
import io.helidon.common.tls.Tls;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http2.Http2Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running HTTP server: HTTP/1.1 and HTTP/2 on each of its listeners, until it is closed. */
public final class HttpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration MAX_SWEEP_PERIOD = Duration.ofSeconds(1);
    /** Connections that are closed already and whose threads have not noticed yet. */
    private static final int LEAVING = 64;

    private final Map<String, Running> listeners;
    private final WebServer server;
    private final Thread sweeper;
    private final List<Runnable> drainHooks = new CopyOnWriteArrayList<>();
    private final AtomicBoolean draining = new AtomicBoolean();

    private record Running(Listener listener, String socketName, Connections connections) {}

    private HttpServer(Map<String, Running> listeners, WebServer server) {
        this.listeners = Map.copyOf(listeners);
        this.server = server;
        this.sweeper = Thread.ofVirtual().name("connection-sweep").unstarted(this::sweep);
    }

    /** @throws UncheckedIOException when an address cannot be listened on; nothing is left running then */
    public static HttpServer start(List<Listener> listeners) {
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("a server needs a listener");
        }
        QuietHelidon.prepare();
        var running = new LinkedHashMap<String, Running>();
        var builder = WebServerConfig.builder().shutdownHook(false).featuresDiscoverServices(false);
        for (var listener : listeners) {
            boolean first = running.isEmpty();
            int most = Capacity.ofListener(listener.tls().isPresent(), listeners.size());
            var entry = new Running(
                    listener,
                    first ? WebServer.DEFAULT_SOCKET_NAME : listener.name(),
                    new Connections(listener.name(), listener.limits(), most, new ErrorReplies(listener.errors())));
            if (running.putIfAbsent(listener.name(), entry) != null) {
                throw new IllegalArgumentException("two listeners are called " + listener.name());
            }
            if (first) {
                configure(builder, entry);
            } else {
                var socket = ListenerConfig.builder().name(listener.name());
                configure(socket, entry);
                builder.putSocket(listener.name(), socket.build());
            }
        }
        var started = new HttpServer(running, builder.build());
        started.run();
        return started;
    }

    private static void configure(ListenerConfig.BuilderBase<?, ?> builder, Running running) {
        var listener = running.listener();
        var errors = new ErrorReplies(listener.errors());
        var routing = HttpRouting.builder();
        routing.addFilter(running.connections());
        errors.addTo(routing);
        if (listener.tls().map(TlsSource::clientCertificates).equals(Optional.of(ClientCertificates.NEEDED_TO_CALL))) {
            routing.addFilter(new CallersOnly(errors));
        }
        listener.routes().accept(routing);
        builder.host(listener.bindAddress())
                .port(listener.port())
                .routing(routing)
                .directHandlers(errors.directHandlers())
                .connectionOptions(new AcceptOptions(running.connections()))
                // Connections makes room before this is reached: who waits here waits for people who want nothing.
                .maxTcpConnections(running.connections().most() + LEAVING)
                // Our own sweep closes idle connections; Helidon's knows only those that have sent a request.
                .idleConnectionTimeout(listener.limits().idleTimeout().plusMinutes(1))
                .shutdownGracePeriod(Duration.ofMillis(500))
                .backlog(1024)
                .mediaContext(MediaContext.builder()
                        .mediaSupportsDiscoverServices(false)
                        .build())
                .contentEncoding(ContentEncodingContext.builder()
                        .contentEncodingsDiscoverServices(false)
                        .build())
                .protocolsDiscoverServices(false)
                .concurrencyLimitDiscoverServices(false)
                .addProtocol(Http1Config.builder()
                        .maxPrologueLength(32 * 1024)
                        .maxHeadersSize(64 * 1024)
                        .build())
                .addProtocol(Http2Config.builder()
                        .maxConcurrentStreams(1_000)
                        .sendErrorDetails(false)
                        .build());
        listener.tls().ifPresent(source -> withTls(builder, source));
    }

    private static void withTls(ListenerConfig.BuilderBase<?, ?> builder, TlsSource source) {
        builder.tls(Tls.builder()
                        .sslContext(SwitchingSslContext.of(source))
                        .managerDiscoverServices(false)
                        .build())
                // On channels Helidon 4.5 looks up every TLS client's name in the DNS before the handshake.
                .useNio(false);
    }

    private void run() {
        long start = System.nanoTime();
        // Before Helidon tries: it would write pages about a port that somebody else has.
        obstacle().ifPresent(HttpServer::fail);
        server.start();
        if (!server.isRunning()) {
            fail(obstacle().orElseGet(() -> new IOException("the server did not start; the log has the cause")));
        }
        sweeper.start();
        listeners
                .values()
                .forEach(running -> log.info(
                        "listener={} address={}:{} tls={} listening",
                        running.listener().name(),
                        running.listener().bindAddress(),
                        server.port(running.socketName()),
                        running.listener().tls().isPresent()));
        log.debug("server started in {} ms", (System.nanoTime() - start) / 1_000_000);
    }

    private static void fail(IOException why) {
        throw new UncheckedIOException(why);
    }

    /** Helidon does not say why it did not start: the operating system does. */
    private Optional<IOException> obstacle() {
        for (var running : listeners.values()) {
            var listener = running.listener();
            try (var probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(listener.bindAddress(), listener.port()));
            } catch (IOException | RuntimeException e) {
                return Optional.of(new IOException(
                        "listener " + listener.name() + " cannot listen on " + listener.bindAddress() + ":"
                                + listener.port() + ": " + e.getMessage(),
                        e));
            }
        }
        return Optional.empty();
    }

    /** The port that a listener has got. */
    public int port(String listenerName) {
        return server.port(known(listenerName).socketName());
    }

    /** Connections that the listener holds open. */
    public int openConnections(String listenerName) {
        return known(listenerName).connections().open();
    }

    private Running known(String listenerName) {
        return requireNonNull(listeners.get(listenerName), () -> "no listener is called " + listenerName);
    }

    /** Whether this server has begun to stop: the moment from which readiness is to be false. */
    public boolean draining() {
        return draining.get();
    }

    /** Run once when the server begins to stop; for answers without an end, such as watches, to end them. */
    public void onDrain(Runnable hook) {
        drainHooks.add(hook);
    }

    /**
     * Says that it is going (readiness), goes on serving for the notice given, so that load balancers can look away,
     * and closes.
     */
    public void drain(Duration notice) {
        draining.set(true);
        pause(notice);
        close();
    }

    /**
     * Takes no new connections, lets the requests under way finish within the longest drain time-out of its listeners,
     * and stops.
     */
    @Override
    public void close() {
        draining.set(true);
        listeners.values().forEach(running -> running.connections().drain());
        drainHooks.forEach(HttpServer::runQuietly);
        drainHooks.clear();
        var patience = listeners.values().stream()
                .map(running -> running.listener().limits().drainTimeout())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        long deadline = System.nanoTime() + patience.toNanos();
        while (inFlight() > 0 && System.nanoTime() < deadline && pause(POLL)) {
            // wait on
        }
        if (inFlight() > 0) {
            log.warn("requests={} cut off after {}", inFlight(), Durations.text(patience));
        }
        sweeper.interrupt();
        server.stop();
    }

    private int inFlight() {
        return listeners.values().stream()
                .mapToInt(running -> running.connections().inFlight())
                .sum();
    }

    private void sweep() {
        var period = listeners.values().stream()
                .map(running -> running.listener().limits())
                .map(limits -> min(limits.headerTimeout(), min(limits.bodyTimeout(), limits.idleTimeout())))
                .map(shortest -> shortest.dividedBy(4))
                .reduce(MAX_SWEEP_PERIOD, HttpServer::min);
        while (pause(period)) {
            long now = System.nanoTime();
            listeners
                    .values()
                    .forEach(running -> runQuietly(() -> running.connections().sweep(now)));
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static void runQuietly(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            log.warn("a task of the server failed", e);
        }
    }

    private static boolean pause(Duration duration) {
        try {
            Thread.sleep(duration);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
