package dev.berth.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Lets programs come to rest: what they still have to do about one round must not be timed in the next. */
public final class Rest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of a second. */
    private static final double QUIET = 0.03;
    /** An API server and etcd talk to each other even when nobody asks them anything. */
    private static final double QUIET_SERVER = 0.15;

    private Rest() {}

    /** Until it has hardly used a processor for a second. */
    static void await(Process process) throws IOException, InterruptedException {
        await(() -> Target.processorSeconds(process), QUIET);
    }

    /** The same for an API server with all that belongs to it. */
    public static void await(Target server) throws IOException, InterruptedException {
        await(server::processorSeconds, QUIET_SERVER);
    }

    private static void await(DoubleSupplier processorSeconds, double quiet) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        double before = Double.NEGATIVE_INFINITY;
        while (processorSeconds.getAsDouble() - before > quiet) {
            if (System.nanoTime() > deadline) throw new IOException("a program with nothing to do does not rest");
            before = processorSeconds.getAsDouble();
            Thread.sleep(Duration.ofSeconds(1));
        }
    }
}
