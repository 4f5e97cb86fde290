package dev.berth.kube.courier;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** An answer that is read as it comes. Closing it before its end ends its connection, and whoever reads from it. */
public final class Flow implements AutoCloseable {
    private final int code;
    private final String contentType;
    private final Optional<String> date;
    private final Optional<String> retryAfter;
    private final InputStream body;
    private final Runnable end;

    Flow(
            int code,
            Optional<String> contentType,
            Optional<String> date,
            Optional<String> retryAfter,
            InputStream body,
            Runnable end) {
        this.code = code;
        this.contentType = contentType.orElse("");
        this.date = date;
        this.retryAfter = retryAfter;
        this.body = new Plain(body);
        this.end = end;
    }

    int code() {
        return code;
    }

    /** What the body is; nothing where the server does not say. */
    public String contentType() {
        return contentType;
    }

    /** When the server says it was; empty where somebody else has heard it. */
    Optional<String> date() {
        return date;
    }

    Optional<String> retryAfter() {
        return retryAfter;
    }

    /** Whatever goes wrong with the connection is an {@link IOException} here. */
    public InputStream body() {
        return body;
    }

    @Override
    public void close() {
        end.run();
    }

    /** Helidon has many words for a connection that ends in the middle of an answer. */
    private static final class Plain extends FilterInputStream {
        Plain(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            try {
                return super.read(buffer, offset, length);
            } catch (UncheckedIOException broken) {
                throw broken.getCause();
            } catch (RuntimeException broken) {
                throw new IOException(broken);
            }
        }
    }
}
