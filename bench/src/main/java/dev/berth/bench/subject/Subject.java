package dev.berth.bench.subject;

import dev.berth.bench.Target;
import java.io.IOException;

/** A door that runs, in a process of its own. */
public interface Subject extends AutoCloseable {
    /** Where it answers {@code /readyz}, and what it runs as. */
    Target door();

    Customer customer() throws IOException;

    /** How many ask at the same time when it is to be kept busy. */
    default int customers() {
        return 16;
    }

    /** Waits until nothing that customers got is held any more. */
    default void awaitFree() throws IOException, InterruptedException {}

    @Override
    default void close() throws IOException {
        door().close();
    }

    /** Starts one. */
    @FunctionalInterface
    interface Opening {
        Subject open(Site site) throws IOException;
    }
}
