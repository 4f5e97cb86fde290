package dev.berth.kube.cache;

import dev.berth.kube.wire.Inflow;
import java.io.IOException;
import java.io.InputStream;

/** Cuts what comes over a connection into lines, each as soon as it is whole; blank ones are passed over. */
final class Lines {
    private final Inflow flow;

    Lines(InputStream in) {
        this.flow = new Inflow(in);
    }

    /** The next line is then in the {@link #buffer}; false at the end, and what is not whole is lost. */
    boolean next() throws IOException {
        flow.pass();
        for (int at = 0; ; ) {
            at = lineEnd(at);
            if (at == flow.arrived()) {
                if (!flow.more()) {
                    return false;
                }
                continue;
            }
            flow.take(at + 1);
            if (at > 0) {
                return true;
            }
            flow.pass();
        }
    }

    /** Where the line ends, or where what has come does. */
    private int lineEnd(int from) {
        var bytes = flow.buffer();
        int end = flow.start() + flow.arrived();
        int at = flow.start() + from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        return at - flow.start();
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
