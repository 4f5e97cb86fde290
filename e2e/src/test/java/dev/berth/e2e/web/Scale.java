package dev.berth.e2e.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Weighs a process ten times a second, as Linux has it. What counts against a container's limit without a way out is
 * what is the process's own; pages of files, such as the cache of classes, can be taken from it and read again.
 */
final class Scale implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(100);

    private final Path status;
    private final AtomicLong most = new AtomicLong();
    private final Thread thread;

    /** In KiB. */
    record Weight(long own, long resident) {}

    Scale(long pid) {
        this.status = Path.of("/proc/%d/status".formatted(pid));
        this.thread = Thread.ofVirtual().name("scale").start(this::work);
    }

    private void work() {
        try {
            while (true) {
                now();
                Thread.sleep(EVERY);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    Weight now() {
        try (var lines = Files.lines(status)) {
            Map<String, Long> figures = lines.filter(line -> line.endsWith(" kB"))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf(':')),
                            line -> Long.parseLong(line.replaceAll("\\D", ""))));
            var weight = new Weight(figures.getOrDefault("RssAnon", 0L), figures.getOrDefault("VmRSS", 0L));
            most.accumulateAndGet(weight.own(), Math::max);
            return weight;
        } catch (IOException gone) {
            return new Weight(0, 0);
        }
    }

    /** The heaviest that it has been, of its own. */
    long most() {
        return most.get();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
