package dev.berth.kube.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Reads as much as has come. TLS asks a socket for the five bytes that a record begins with, and then for the rest of
 * it: two calls of the system for each event of a watch, where one may bring many events.
 */
final class EagerSocket extends Socket {
    private static final int ROOM = 16 * 1024;

    private @Nullable InputStream in;

    @Override
    public synchronized InputStream getInputStream() throws IOException {
        var known = in;
        if (known == null) {
            known = new BufferedInputStream(super.getInputStream(), ROOM);
            in = known;
        }
        return known;
    }
}
