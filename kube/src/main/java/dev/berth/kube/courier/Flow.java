package dev.berth.kube.courier;

import java.io.InputStream;
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
        this.body = body;
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

    public InputStream body() {
        return body;
    }

    @Override
    public void close() {
        end.run();
    }
}
