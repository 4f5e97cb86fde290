package dev.berth.kube.cache;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts what comes over a connection into lines, each as soon as it is whole; blank ones are passed over. */
final class Lines {
    private static final int FIRST_ROOM = 8 * 1024;
    private static final int MOST = 64 * 1024 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[FIRST_ROOM];
    private int start;
    private int end;
    private int filled;

    Lines(InputStream in) {
        this.in = in;
    }

    /**
     * The next line is then between {@link #start} and {@link #end}; false at the end, and what is not whole is lost.
     */
    boolean next() throws IOException {
        start = end;
        for (int at = start; ; at++) {
            if (at == filled) {
                at -= start;
                if (!fill()) {
                    return false;
                }
            }
            if (buffer[at] == '\n') {
                end = at + 1;
                if (end - start > 1) {
                    return true;
                }
                start = end;
            }
        }
    }

    byte[] buffer() {
        return buffer;
    }

    int start() {
        return start;
    }

    int length() {
        return end - start;
    }

    /** Moves what is left to the front and reads more behind it. */
    private boolean fill() throws IOException {
        filled -= start;
        System.arraycopy(buffer, start, buffer, 0, filled);
        start = 0;
        end = 0;
        if (filled == buffer.length) {
            if (filled >= MOST) {
                throw new IOException("a line of more than %d bytes".formatted(MOST));
            }
            buffer = Arrays.copyOf(buffer, 2 * filled);
        }
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
            return false;
        }
        filled += read;
        return true;
    }
}
