package dev.berth.kube.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * What has come over a connection: a part that is looked at, and what has come behind it already. Room is made as bytes
 * come, not as they are announced.
 */
public final class Inflow {
    /** No part is larger. */
    public static final int MOST = 64 * 1024 * 1024;

    private static final int FIRST_ROOM = 8 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[FIRST_ROOM];
    private int start;
    private int end;
    private int filled;

    public Inflow(InputStream in) {
        this.in = in;
    }

    /** Lets go of the part: the next one begins behind it. */
    public void pass() {
        start = end;
    }

    /** The part is now this long, all of which must have come. */
    public void take(int length) {
        end = start + length;
    }

    /** Another one after each {@link #more}. */
    public byte[] buffer() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int length() {
        return end - start;
    }

    /** How much has come since the part began. */
    public int arrived() {
        return filled - start;
    }

    /** Waits for more; false if nothing will come. What had been taken must be taken again. */
    public boolean more() throws IOException {
        filled -= start;
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, filled);
        }
        start = 0;
        end = 0;
        if (filled == buffer.length) {
            if (filled >= MOST) {
                throw new IOException("more than %d bytes without an end".formatted(MOST));
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
