package dev.berth.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that runs until somebody stops it: Ctrl-C and SIGTERM close its parts, the last started first, and end the
 * program with exit code 0. A command whose start fails closes them, too.
 */
public final class Lifetime implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lifetime.class);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    /** A little longer than a webhook's registration is tried. */
    private static final Duration OPENING_PATIENCE = Duration.ofSeconds(20);

    private final PrintWriter err;
    private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();
    private final ReentrantLock opening = new ReentrantLock();
    private final Thread hook = new Thread(this::stop, "stop");

    private Lifetime(PrintWriter err, List<? extends AutoCloseable> parts) {
        this.err = err;
        this.parts.addAll(parts);
    }

    /** From here on, whoever stops the program closes what was opened. */
    static Lifetime begin(PrintWriter err) {
        return begin(err, List.of());
    }

    private static Lifetime begin(PrintWriter err, List<? extends AutoCloseable> parts) {
        var lifetime = new Lifetime(err, parts);
        Runtime.getRuntime().addShutdownHook(lifetime.hook);
        return lifetime;
    }

    public static void untilStopped(PrintWriter err, List<? extends AutoCloseable> parts) throws InterruptedException {
        try (var lifetime = begin(err, parts)) {
            lifetime.untilStopped();
        }
    }

    /** Gives back what it opened. A stop that comes meanwhile waits: nobody else knows how to close half of it. */
    <T extends AutoCloseable> T open(Supplier<T> part) {
        opening.lock();
        try {
            var opened = part.get();
            parts.add(opened);
            return opened;
        } finally {
            opening.unlock();
        }
    }

    void untilStopped() throws InterruptedException {
        // Not before: the beans behind it would cost a part of the start.
        Thread.sleep(BETWEEN_LOOKS);
        var heap = OldGeneration.ofSerialCollector();
        while (true) {
            heap.ifPresent(OldGeneration::tidy);
            Thread.sleep(BETWEEN_LOOKS);
        }
    }

    /** For a command that could not start, or does not go on. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook closes the parts already.
            return;
        }
        closeParts();
    }

    private void stop() {
        err.println("berth: stopping");
        err.flush();
        awaitOpening();
        // Asked to stop, and stopped: that is success, not the 130 or 143 that the JVM would report.
        Runtime.getRuntime().halt(closeParts() == 0 ? 0 : 1);
    }

    /** Never unlocked again: nothing may be opened from here on. */
    private void awaitOpening() {
        try {
            if (!opening.tryLock(OPENING_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("a part is still being opened after {} s and is not closed", OPENING_PATIENCE.toSeconds());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return how many could not be closed */
    private int closeParts() {
        int failed = 0;
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                failed++;
                log.error("part={} did not stop cleanly", part.getClass().getSimpleName(), e);
            }
        }
        return failed;
    }
}
