package dev.berth.web;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body under the listener's limits: too many bytes end in 413, too slow a sender in 408. Helidon's sockets
 * have no read time-out, so the {@link Connections} sweep wakes a reader that has waited too long.
 */
final class RequestBody extends FilterInputStream {
    private static final long DISCARDED_BYTES = 64L << 20;

    private final long maxBytes;
    private final Duration timeout;
    private final Consumer<Thread> wake;
    private final ReentrantLock lock = new ReentrantLock();
    private long bytesRead;
    private long startedAt;
    private boolean started;
    private boolean expired;
    private boolean refused;
    private @Nullable Thread reader;

    /** @param wake makes a read in which the given thread waits return */
    RequestBody(InputStream in, long maxBytes, Duration timeout, Consumer<Thread> wake) {
        super(in);
        this.maxBytes = maxBytes;
        this.timeout = timeout;
        this.wake = wake;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        enter();
        int count;
        try {
            count = in.read(buffer, offset, length);
        } catch (IOException | RuntimeException e) {
            leave();
            throw e;
        }
        leave();
        if (count > 0) {
            bytesRead += count;
            if (bytesRead > maxBytes) {
                refused = true;
                throw tooLarge(maxBytes);
            }
        }
        return count;
    }

    static HttpException tooLarge(long maxBytes) {
        return new HttpException(
                "the request's body is larger than the limit of " + maxBytes + " bytes",
                Status.REQUEST_ENTITY_TOO_LARGE_413,
                false);
    }

    /** Called by the sweep: wakes the reader when its time is over. */
    void check(long now) {
        lock.lock();
        try {
            if (reader != null && !expired && now - startedAt > timeout.toNanos()) {
                expired = true;
                wake.accept(reader);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads away what the client of a refused body is still sending, so that it gets to see the answer instead of a
     * broken connection: for as long again as a whole body may take.
     */
    void discardIfRefused() {
        if (!refused || expired) {
            return;
        }
        try {
            bytesRead = Math.min(0, maxBytes - DISCARDED_BYTES);
            started = false;
            var buffer = new byte[8192];
            while (read(buffer, 0, buffer.length) >= 0) {
                // thrown away
            }
        } catch (IOException | RuntimeException _) {
            // The answer is sent; a sender that goes on regardless is cut off with the connection.
        }
    }

    /** The request is refused before its body was looked at. */
    RequestBody refuse() {
        refused = true;
        return this;
    }

    private void enter() {
        lock.lock();
        try {
            if (expired) {
                throw tooSlow();
            }
            if (!started) {
                started = true;
                startedAt = System.nanoTime();
            }
            reader = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            reader = null;
            if (expired) {
                Thread.interrupted();
                throw tooSlow();
            }
        } finally {
            lock.unlock();
        }
    }

    private HttpException tooSlow() {
        return new HttpException(
                "the request's body did not arrive within " + Durations.text(timeout),
                Status.REQUEST_TIMEOUT_408,
                false);
    }
}
