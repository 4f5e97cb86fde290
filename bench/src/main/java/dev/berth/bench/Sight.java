package dev.berth.bench;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;

/** A watch of a namespace's pods that have a node: each comes into its sight once. */
final class Sight implements Closeable {
    private final Target server;
    private final int pods;
    private final String path;
    private Connection watch;
    private int bound;

    /** @param pods how many there are */
    Sight(Target server, String namespace, int pods) throws IOException {
        this.server = server;
        this.pods = pods;
        path = "/api/v1/namespaces/%s/pods?watch=1&fieldSelector=spec.nodeName%%21%%3D".formatted(namespace);
        watch = new Connection(server);
        watch.watch(path);
    }

    /** Waits for more, and gives how many there are. */
    private int look() throws IOException {
        try {
            bound += watch.events();
        } catch (EOFException dropped) {
            // A busy server drops watches that it could not write to; a new one begins with all that are bound.
            watch.close();
            watch = new Connection(server);
            watch.watch(path);
            bound = 0;
        }
        return bound;
    }

    /** Bindings a second, from the first that are seen until all pods have a node. */
    double rate() throws IOException {
        int early = look();
        long first = System.nanoTime();
        for (int seen = early; seen < pods; ) {
            seen = look();
        }
        return (pods - early) / ((System.nanoTime() - first) / 1e9);
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
