package dev.berth.kube.proto;

import dev.berth.kube.wire.Inflow;
import java.io.IOException;
import java.io.InputStream;

/** Cuts what comes over a connection into pieces of lengths that were said before. */
final class Pieces {
    private final Inflow flow;

    Pieces(InputStream in) {
        this.flow = new Inflow(in);
    }

    /** The next piece is then in the {@link #buffer}; false if what comes ends before it does. */
    boolean next(long length) throws IOException {
        if (length < 0 || length > Inflow.MOST) {
            throw new MalformedMessageException(
                    "a piece of %s bytes, more than %d".formatted(Long.toUnsignedString(length), Inflow.MOST));
        }
        flow.pass();
        while (flow.arrived() < length) {
            if (!flow.more()) {
                return false;
            }
        }
        flow.take((int) length);
        return true;
    }

    byte[] buffer() {
        return flow.buffer();
    }

    int start() {
        return flow.start();
    }

    int length() {
        return flow.length();
    }
}
