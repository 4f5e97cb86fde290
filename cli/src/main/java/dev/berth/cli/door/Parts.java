package dev.berth.cli.door;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is to be closed together, the last first. One that cannot be closed does not keep the others open. */
public final class Parts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Gives back what it got. */
    public <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            var part = parts.pop();
            try {
                part.close();
            } catch (Exception failed) {
                LOG.warn("part={} was not closed", part.getClass().getSimpleName(), failed);
            }
        }
    }
}
