package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Where one webhook listens, whom it must prove to be, and the connections to it that wait to be used again. */
final class WebhookTarget implements AutoCloseable {
    private static final int MOST_IDLE = 100;

    private final String host;
    private final String authority;
    private final String path;
    private final SSLSocketFactory sockets;
    private final Resolver resolver;
    private final Deque<HttpsConnection> idle = new ArrayDeque<>();
    private boolean closed;

    private interface Resolver {
        InetSocketAddress resolve() throws IOException;
    }

    private WebhookTarget(String host, String authority, String path, SSLSocketFactory sockets, Resolver resolver) {
        this.host = host;
        this.authority = authority;
        this.path = path.isEmpty() ? "/" : path;
        this.sockets = sockets;
        this.resolver = resolver;
    }

    static WebhookTarget of(JsonNode config, ServiceAddresses services) {
        SSLSocketFactory sockets = Trust.sockets(config.path("caBundle").asText(""));
        JsonNode service = config.path("service");
        if (service.isObject()) {
            String name = service.path("name").asText();
            String namespace = service.path("namespace").asText();
            int port = service.path("port").asInt(443);
            String host = name + "." + namespace + ".svc";
            return new WebhookTarget(
                    host,
                    host + ":" + port,
                    service.path("path").asText(""),
                    sockets,
                    () -> services.resolve(namespace, name, port));
        }
        URI url = URI.create(config.path("url").asText());
        String host = url.getHost().replace("[", "").replace("]", "");
        int port = url.getPort() < 0 ? 443 : url.getPort();
        return new WebhookTarget(
                host,
                url.getRawAuthority(),
                url.getRawPath(),
                sockets,
                () -> new InetSocketAddress(InetAddress.getAllByName(host)[0], port));
    }

    HttpsConnection.Response post(byte[] body, Duration timeout, ScheduledExecutorService watchdog) {
        String pathAndQuery = path + "?timeout=" + timeout.toSeconds() + "s";
        var inUse = new AtomicReference<@Nullable Socket>();
        var late = new AtomicBoolean();
        ScheduledFuture<?> alarm = watchdog.schedule(
                () -> {
                    late.set(true);
                    end(inUse.get());
                },
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
        try {
            return exchange(body, pathAndQuery, timeout, socket -> {
                inUse.set(socket);
                if (late.get()) end(socket);
            });
        } catch (IOException failed) {
            throw new WebhookFailure("failed to call webhook: Post \"https://%s%s\": %s"
                    .formatted(authority, pathAndQuery, reason(failed, late.get())));
        } finally {
            alarm.cancel(false);
        }
    }

    private HttpsConnection.Response exchange(
            byte[] body, String pathAndQuery, Duration timeout, HttpsConnection.Abort abort) throws IOException {
        HttpsConnection used = takeIdle();
        if (used != null) {
            try {
                abort.by(used.socket());
                return exchange(used, body, pathAndQuery);
            } catch (IOException stale) {
                // The server may have closed it while it was idle: that says nothing about the server now.
                if (used.answering()) throw stale;
            }
        }
        var fresh = HttpsConnection.open(resolver.resolve(), host, sockets, timeout, abort);
        return exchange(fresh, body, pathAndQuery);
    }

    private HttpsConnection.Response exchange(HttpsConnection connection, byte[] body, String pathAndQuery)
            throws IOException {
        try {
            HttpsConnection.Response response = connection.post(authority, pathAndQuery, body);
            giveBack(connection);
            return response;
        } catch (IOException failed) {
            connection.close();
            throw failed;
        }
    }

    private String reason(IOException failed, boolean late) {
        if (late || failed instanceof SocketTimeoutException) return "context deadline exceeded";
        if (failed instanceof UnknownHostException) return "dial tcp: lookup %s: no such host".formatted(host);
        if (failed instanceof ConnectException) return "dial tcp %s: connect: connection refused".formatted(dialled());
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && message.startsWith("x509: ")) return "tls: failed to verify certificate: " + message;
        }
        if (failed instanceof SSLException) return "tls: " + failed.getMessage();
        return String.valueOf(failed.getMessage());
    }

    private String dialled() {
        try {
            InetSocketAddress address = resolver.resolve();
            String ip = address.isUnresolved()
                    ? address.getHostString()
                    : address.getAddress().getHostAddress();
            return ip + ":" + address.getPort();
        } catch (IOException _) {
            return authority;
        }
    }

    private synchronized @Nullable HttpsConnection takeIdle() {
        return idle.pollFirst();
    }

    private void giveBack(HttpsConnection connection) {
        synchronized (this) {
            if (!closed && connection.reusable() && idle.size() < MOST_IDLE) {
                idle.addFirst(connection);
                return;
            }
        }
        connection.close();
    }

    private static void end(@Nullable Socket socket) {
        if (socket == null) return;
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone either way.
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(HttpsConnection::close);
        idle.clear();
    }
}
