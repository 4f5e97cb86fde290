package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/** Ports for programs that must be told theirs. */
public final class Ports {
    private Ports() {}

    /** One that is free at the moment. */
    public static int free() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
