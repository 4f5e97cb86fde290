package dev.berth.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that runs until somebody stops it: Ctrl-C and SIGTERM close its parts, the last started first, and end the
 * program with exit code 0.
 */
public final class Lifetime {
    private static final Logger log = LoggerFactory.getLogger(Lifetime.class);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private Lifetime() {}

    public static void untilStopped(PrintWriter err, List<? extends AutoCloseable> parts) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(err, parts), "stop"));
        // Not before: the beans behind it would cost a part of the start.
        Thread.sleep(BETWEEN_LOOKS);
        var heap = OldGeneration.ofSerialCollector();
        while (true) {
            heap.ifPresent(OldGeneration::tidy);
            Thread.sleep(BETWEEN_LOOKS);
        }
    }

    private static void stop(PrintWriter err, List<? extends AutoCloseable> parts) {
        err.println("berth: stopping");
        err.flush();
        int failed = 0;
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                failed++;
                log.error("part={} did not stop cleanly", part.getClass().getSimpleName(), e);
            }
        }
        // Asked to stop, and stopped: that is success, not the 130 or 143 that the JVM would report.
        Runtime.getRuntime().halt(failed == 0 ? 0 : 1);
    }
}
