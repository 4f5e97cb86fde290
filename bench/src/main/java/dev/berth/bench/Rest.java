package dev.berth.bench;

import java.io.IOException;
import java.time.Duration;

/** Lets a scheduler come to rest: what it still has to do about one round must not be timed in the next. */
final class Rest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of a second. */
    private static final double QUIET = 0.03;

    private Rest() {}

    /** Until it has hardly used a processor for a second. */
    static void await(Process process) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        double before = Double.NEGATIVE_INFINITY;
        while (Target.processorSeconds(process) - before > QUIET) {
            if (System.nanoTime() > deadline) throw new IOException("a scheduler with nothing to do does not rest");
            before = Target.processorSeconds(process);
            Thread.sleep(Duration.ofSeconds(1));
        }
    }
}
