package dev.berth.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A connection to a server that can be cut, blocked, silenced, or made to lose the answer to a request. */
public final class Wire implements AutoCloseable {
    private final int target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<String> losing = new AtomicReference<>("");
    private final AtomicInteger lost = new AtomicInteger();
    private volatile boolean blocked;
    private volatile boolean silent;

    private Wire(int target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    static Wire to(int port) {
        try {
            var listener = new ServerSocket();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var wire = new Wire(port, listener);
            Thread.ofVirtual().start(wire::accept);
            return wire;
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Ends all connections; new ones are possible at once. */
    public void cut() {
        sockets.forEach(Wire::end);
    }

    /** Ends all connections and lets no new ones through until unblocked. */
    public void block() {
        blocked = true;
        cut();
    }

    public void unblock() {
        blocked = false;
    }

    /** Takes what comes from now on and passes none of it on, in either direction. */
    public void fallSilent() {
        silent = true;
    }

    /** The next request that starts like this reaches the server, but its answer does not come back. */
    public void loseAnswerTo(String start) {
        losing.set(start);
    }

    public int lost() {
        return lost.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                sockets.add(client);
                if (blocked) {
                    end(client);
                    continue;
                }
                var server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(server);
                var doomed = new AtomicBoolean();
                Thread.ofVirtual().start(() -> copy(client, server, doomed, true));
                Thread.ofVirtual().start(() -> copy(server, client, doomed, false));
            } catch (IOException closed) {
                // The test is over, or the server is away: the client sees a broken connection either way.
            }
        }
    }

    private void copy(Socket from, Socket to, AtomicBoolean doomed, boolean requests) {
        var buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (requests) {
                    var text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
                    var start = losing.get();
                    if (!start.isEmpty() && text.startsWith(start) && losing.compareAndSet(start, "")) {
                        doomed.set(true);
                    }
                } else if (doomed.get()) {
                    lost.incrementAndGet();
                    break;
                }
                if (!silent) {
                    out.write(buffer, 0, length);
                    out.flush();
                }
            }
        } catch (IOException broken) {
            // Both sides are ended below.
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // It is closed, which is all that was wanted.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        cut();
    }
}
