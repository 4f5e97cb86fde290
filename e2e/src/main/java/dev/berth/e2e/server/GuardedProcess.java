package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A program that never outlives this JVM, not even one that is killed: a shell between the two ends it as soon as the
 * pipe from here breaks.
 */
public final class GuardedProcess implements AutoCloseable {
    private static final String GUARD = """
            exec 3<&0
            "$@" </dev/null 3<&- & program=$!
            cat <&3 >/dev/null & reins=$!
            wait -n "$program" "$reins"; code=$?
            kill "$program" "$reins" 2>/dev/null
            for _ in $(seq 100); do kill -0 "$program" 2>/dev/null || exit $code; sleep 0.1; done
            kill -9 "$program"
            """;

    private final Process guard;
    private final Path log;

    private GuardedProcess(Process guard, Path log) {
        this.guard = guard;
        this.log = log;
    }

    /** @param log takes what the program prints */
    public static GuardedProcess start(List<String> command, Path log) {
        List<String> guarded = new ArrayList<>(List.of("bash", "-c", GUARD, "guard"));
        guarded.addAll(command);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            var guard = new ProcessBuilder(guarded)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new GuardedProcess(guard, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean alive() {
        return guard.isAlive();
    }

    /** The program's own number. */
    public long pid() {
        return guard.children()
                .filter(child -> !child.info().command().orElse("").endsWith("/cat"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** How the program ended by itself; empty while it runs. */
    public OptionalInt exitCode() {
        return guard.isAlive() ? OptionalInt.empty() : OptionalInt.of(guard.exitValue());
    }

    /** Ends the program as a power cut would: at once, with no word of warning. */
    public void kill() {
        guard.children().forEach(ProcessHandle::destroyForcibly);
        try {
            if (!guard.waitFor(20, TimeUnit.SECONDS)) throw new IllegalStateException("it did not die");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The end of the log, for messages about a program that failed. */
    public String lastWords() {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(20, TimeUnit.SECONDS)) {
                guard.descendants().forEach(ProcessHandle::destroyForcibly);
                guard.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            guard.descendants().forEach(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
