package dev.berth.kube.http;

import java.io.InputStream;
import java.util.Optional;

/**
 * What a server answers, its body to be read as it comes. Closed when all of it was read, its connection serves another
 * request; closed before, by whomever, it ends the connection, and whoever reads from it.
 */
public final class Answer implements AutoCloseable {
    private final Head head;
    private final Body body;
    private final Runnable close;

    Answer(Head head, Body body, Runnable close) {
        this.head = head;
        this.body = body;
        this.close = close;
    }

    public int code() {
        return head.code();
    }

    public Optional<String> contentType() {
        return head.contentType();
    }

    public Optional<String> date() {
        return head.date();
    }

    public Optional<String> retryAfter() {
        return head.retryAfter();
    }

    public InputStream body() {
        return body;
    }

    @Override
    public void close() {
        close.run();
    }
}
