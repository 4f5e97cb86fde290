package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Berth as a process of its own, from the classes of this build. */
public final class BerthProcess {
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
        return start(log, environment, words, command(arguments), arguments);
    }

    /** The same by the launcher, as users start it: with the memory and the options that a command has in earnest. */
    public static GuardedProcess launch(Path log, Map<String, String> environment, String words, String... arguments) {
        var launcher = E2eFolder.path().toAbsolutePath().resolveSibling("berth").normalize();
        List<String> command = new ArrayList<>(List.of("BERTH_NO_BUILD=1", launcher.toString()));
        command.addAll(List.of(arguments));
        return start(log, environment, words, command, arguments);
    }

    private static GuardedProcess start(
            Path log, Map<String, String> environment, String words, List<String> program, String... arguments) {
        var process = GuardedProcess.start(with(environment, program), log);
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
        return with(environment, command(arguments));
    }

    private static List<String> with(Map<String, String> environment, List<String> program) {
        List<String> command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(program);
        return command;
    }

    /** A command that ends by itself. */
    public static Said run(String... arguments) {
        try {
            var folder = Files.createDirectories(E2eFolder.target("berth"));
            var out = Files.createTempFile(folder, "out", "");
            var err = Files.createTempFile(folder, "err", "");
            var process = new ProcessBuilder(command(arguments))
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

    private static List<String> command(String... arguments) {
        var classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                "dev.berth.cli.Berth"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static boolean contains(Path log, String words) {
        try {
            return Files.exists(log) && Files.readString(log).contains(words);
        } catch (IOException e) {
            return false;
        }
    }
}
