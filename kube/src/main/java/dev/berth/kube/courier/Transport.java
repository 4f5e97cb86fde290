package dev.berth.kube.courier;

import java.io.IOException;
import java.time.Duration;

/** Carries one request to the API server and its answer back. */
interface Transport extends AutoCloseable {
    /**
     * Sends it, and leaves the body of the answer to be read as it comes.
     *
     * @param silence how long nothing may come before the connection counts as broken
     * @throws IOException if not even the head of an answer came
     */
    Flow open(Request request, Duration silence) throws IOException;

    @Override
    default void close() {}

    /** What is asked; a request without a body has an empty one. */
    final class Request {
        private final String method;
        private final String path;
        private final String accept;
        private final String mediaType;
        private final byte[] body;

        Request(String method, String path, String accept, String mediaType, byte[] body) {
            this.method = method;
            this.path = path;
            this.accept = accept;
            this.mediaType = mediaType;
            this.body = body;
        }

        String method() {
            return method;
        }

        String path() {
            return path;
        }

        /** What the answer may be. */
        String accept() {
            return accept;
        }

        /** What the body is. */
        String mediaType() {
            return mediaType;
        }

        byte[] body() {
            return body;
        }
    }
}
