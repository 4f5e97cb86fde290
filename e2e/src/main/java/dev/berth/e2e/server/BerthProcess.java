package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Berth as a process of its own, by the launcher, as users start it: by its AOT cache a start costs two thirds. */
public final class BerthProcess {
    /** Stories are short: what the second compiler takes they never get back. */
    public static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final long PATIENCE_SECONDS = 90;

    /** What a command that ended said. */
    public record Said(int exit, String out, String err) {}

    private BerthProcess() {}

    /** A command that runs until it is closed; this returns when its log shows the words. */
    public static GuardedProcess start(Path log, String words, String... arguments) {
        return start(log, Map.of(), words, arguments);
    }

    /** @param environment variables that it finds beside ours */
    public static GuardedProcess start(Path log, Map<String, String> environment, String words, String... arguments) {
        return start(log, words, commandLine(environment, arguments), arguments);
    }

    /** The same with the compilers that a command has in earnest. */
    public static GuardedProcess launch(Path log, Map<String, String> environment, String words, String... arguments) {
        return start(log, words, launcher(environment, arguments), arguments);
    }

    private static GuardedProcess start(Path log, String words, List<String> command, String... arguments) {
        var process = GuardedProcess.start(command, log);
        Await.until(
                Duration.ofSeconds(PATIENCE_SECONDS),
                () -> !process.alive() || contains(log, words),
                () -> "berth %s does not say '%s': %s"
                        .formatted(String.join(" ", arguments), words, process.lastWords()));
        if (!process.alive()) {
            throw new AssertionError("berth %s ended: %s".formatted(String.join(" ", arguments), process.lastWords()));
        }
        return process;
    }

    /** For one who starts it himself. */
    public static List<String> commandLine(Map<String, String> environment, String... arguments) {
        Map<String, String> variables = new LinkedHashMap<>(Map.of("BERTH_JAVA_OPTS", FIRST_COMPILER));
        variables.putAll(environment);
        return launcher(variables, arguments);
    }

    private static List<String> launcher(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "BERTH_NO_BUILD=1"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.add(E2eFolder.launcher().toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** A command that ends by itself. */
    public static Said run(String... arguments) {
        try {
            var folder = Files.createDirectories(E2eFolder.target("berth"));
            var out = Files.createTempFile(folder, "out", "");
            var err = Files.createTempFile(folder, "err", "");
            var process = new ProcessBuilder(commandLine(Map.of(), arguments))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("berth %s did not end".formatted(String.join(" ", arguments)));
            }
            return new Said(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static boolean contains(Path log, String words) {
        try {
            return Files.exists(log) && Files.readString(log).contains(words);
        } catch (IOException e) {
            return false;
        }
    }
}
