package dev.berth.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Another program of this machine, run to its end. */
final class Program {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int LAST_WORDS = 20;

    private Program() {}

    /** @param otherwise what a person can do if it does not work */
    static void run(Path directory, String otherwise, List<String> command) throws IOException, InterruptedException {
        var log = directory.resolve(Path.of(command.getFirst()).getFileName() + ".log");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException missing) {
            throw new MissingException("%s cannot be started; %s".formatted(command.getFirst(), otherwise), missing);
        }
        if (!process.waitFor(PATIENCE)) {
            process.destroyForcibly();
            throw new IOException(
                    "%s did not end within %s; %s%s".formatted(command, PATIENCE, otherwise, lastWords(log)));
        }
        if (process.exitValue() != 0) {
            throw new IOException("%s failed, see %s; %s%s".formatted(command, log, otherwise, lastWords(log)));
        }
    }

    /** Where it runs, as in CI, nobody may ever see the log itself. */
    private static String lastWords(Path log) throws IOException {
        var lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        return lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size()).stream()
                .map(line -> "\n  " + line)
                .collect(Collectors.joining());
    }

    /** This machine lacks what the image is made with. */
    static final class MissingException extends IOException {
        private static final long serialVersionUID = 1;

        MissingException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
