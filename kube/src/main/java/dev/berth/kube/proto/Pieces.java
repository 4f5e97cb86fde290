package dev.berth.kube.proto;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts what comes over a connection into pieces of lengths that were said before. Room is made as bytes come, not as
 * they are announced.
 */
final class Pieces {
    static final int MOST = 64 * 1024 * 1024;

    private static final int FIRST_ROOM = 8 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[FIRST_ROOM];
    private int start;
    private int end;
    private int filled;

    Pieces(InputStream in) {
        this.in = in;
    }

    /** The next piece is then in the {@link #buffer}; false if what comes ends before it does. */
    boolean next(long length) throws IOException {
        if (length < 0 || length > MOST) {
            throw new MalformedMessageException(
                    "a piece of %s bytes, more than %d".formatted(Long.toUnsignedString(length), MOST));
        }
        start = end;
        while (filled - start < length) {
            if (!fill()) {
                return false;
            }
        }
        end = start + (int) length;
        return true;
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
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, filled);
        }
        start = 0;
        end = 0;
        if (filled == buffer.length) {
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
