package dev.berth.kube;

/** The settings do not lead to an API server; the message names the file and what is wrong with it. */
public final class ConnectionException extends RuntimeException {
    public ConnectionException(String message) {
        super(message);
    }

    public ConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
