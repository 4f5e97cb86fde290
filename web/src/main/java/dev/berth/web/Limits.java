package dev.berth.web;

import java.time.Duration;

/**
 * How much of a listener one client may use, and for how long.
 *
 * @param maxBodyBytes a larger request body is refused with 413
 * @param headerTimeout from the connection to the end of its first request's headers, the TLS handshake included
 * @param bodyTimeout from the headers to the end of the request's body; a slower sender gets 408
 * @param idleTimeout how long a connection may wait for its next request
 * @param drainTimeout how long {@link HttpServer#close} waits for requests under way
 * @param maxConcurrentRequests more are refused with 503; long answers such as watches count as long as they last
 * @param maxConnections when more come, those that have been silent for longest are closed; fewer where the process has
 *     not the memory or the files for so many
 */
public record Limits(
        long maxBodyBytes,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration drainTimeout,
        int maxConcurrentRequests,
        int maxConnections) {

    /** An admission review holds an object and its old self, each of at most 3 MiB in Kubernetes. */
    public static final Limits DEFAULT = new Limits(
            8L << 20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(180),
            Duration.ofSeconds(20),
            1_000,
            10_000);

    public Limits {
        requirePositive(maxBodyBytes, "maxBodyBytes");
        requirePositive(headerTimeout, "headerTimeout");
        requirePositive(bodyTimeout, "bodyTimeout");
        requirePositive(idleTimeout, "idleTimeout");
        requirePositive(drainTimeout, "drainTimeout");
        requirePositive(maxConcurrentRequests, "maxConcurrentRequests");
        requirePositive(maxConnections, "maxConnections");
    }

    public Limits withMaxBodyBytes(long bytes) {
        return new Limits(
                bytes, headerTimeout, bodyTimeout, idleTimeout, drainTimeout, maxConcurrentRequests, maxConnections);
    }

    public Limits withTimeouts(Duration header, Duration body, Duration idle) {
        return new Limits(maxBodyBytes, header, body, idle, drainTimeout, maxConcurrentRequests, maxConnections);
    }

    public Limits withDrainTimeout(Duration drain) {
        return new Limits(
                maxBodyBytes, headerTimeout, bodyTimeout, idleTimeout, drain, maxConcurrentRequests, maxConnections);
    }

    public Limits withMaxConcurrentRequests(int requests) {
        return new Limits(
                maxBodyBytes, headerTimeout, bodyTimeout, idleTimeout, drainTimeout, requests, maxConnections);
    }

    public Limits withMaxConnections(int connections) {
        return new Limits(
                maxBodyBytes,
                headerTimeout,
                bodyTimeout,
                idleTimeout,
                drainTimeout,
                maxConcurrentRequests,
                connections);
    }

    private static void requirePositive(long value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be more than zero, not " + value);
        }
    }

    private static void requirePositive(Duration value, String name) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be more than zero, not " + value);
        }
    }
}
