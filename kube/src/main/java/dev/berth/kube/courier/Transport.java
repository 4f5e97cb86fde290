package dev.berth.kube.courier;

import java.io.IOException;
import java.util.Optional;

/** Carries one request to the API server and its answer back. */
interface Transport extends AutoCloseable {
    /** @throws IOException if no whole answer came */
    Answer send(Request request) throws IOException;

    @Override
    default void close() {}

    /** What is asked; a request without a body has an empty one. */
    final class Request {
        private final String method;
        private final String path;
        private final String mediaType;
        private final byte[] body;

        Request(String method, String path, String mediaType, byte[] body) {
            this.method = method;
            this.path = path;
            this.mediaType = mediaType;
            this.body = body;
        }

        String method() {
            return method;
        }

        String path() {
            return path;
        }

        String mediaType() {
            return mediaType;
        }

        byte[] body() {
            return body;
        }
    }

    /** What came back. */
    final class Answer {
        private final int code;
        private final Optional<String> date;
        private final Optional<String> retryAfter;
        private final byte[] body;

        Answer(int code, Optional<String> date, Optional<String> retryAfter, byte[] body) {
            this.code = code;
            this.date = date;
            this.retryAfter = retryAfter;
            this.body = body;
        }

        int code() {
            return code;
        }

        /** When the server says it was; empty where somebody else has heard it. */
        Optional<String> date() {
            return date;
        }

        Optional<String> retryAfter() {
            return retryAfter;
        }

        byte[] body() {
            return body;
        }
    }
}
