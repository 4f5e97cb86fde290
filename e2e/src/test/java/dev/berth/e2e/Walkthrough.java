package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The commands of a page, run as a reader would run them, in a folder with the launcher, the examples and the charts.
 */
final class Walkthrough {
    /**
     * A kind that is removed may take Kubernetes a minute of waiting, and another try with ever longer pauses; it
     * removes five at a time.
     */
    static final Duration PATIENCE = Duration.ofMinutes(6);

    private static final Path ROOT = Path.of(System.getProperty("berth.e2e.directory", "."))
            .toAbsolutePath()
            .normalize()
            .resolve("..")
            .normalize();

    private final Path directory;
    private final List<Step> steps;
    private final Map<String, String> exported = new HashMap<>(Map.of("BERTH_NO_BUILD", "1"));

    /** A command of the page, and the lines under it. */
    record Step(String command, List<String> expected) {
        /** What was printed is what the page says, apart from what differs from run to run. */
        void assertPrinted(String output, UnaryOperator<String> normal) {
            assertThat(output.lines().map(normal).toList())
                    .as(command)
                    .isEqualTo(expected.stream().map(normal).toList());
        }

        /** The same, of what comes a moment later: the reader types more slowly than that. Blank lines do not count. */
        void awaitPrinted(Printing printing, UnaryOperator<String> normal) {
            var wanted = written(expected.stream(), normal);
            var last = new AtomicReference<List<String>>(List.of());
            Await.until(
                    PATIENCE,
                    () -> {
                        last.set(written(printing.now().lines(), normal));
                        return last.get().equals(wanted);
                    },
                    () -> "%s does not print %s but %s".formatted(command, wanted, last.get()));
        }

        private static List<String> written(Stream<String> lines, UnaryOperator<String> normal) {
            return lines.map(normal).filter(line -> !line.isBlank()).toList();
        }
    }

    /** Something that can be looked at again and again. */
    @FunctionalInterface
    interface Printing {
        String text() throws IOException, InterruptedException;

        private String now() {
            try {
                return text();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private Walkthrough(Path directory, List<Step> steps) {
        this.directory = directory;
        this.steps = steps;
    }

    /** @param page its path in the repository */
    static Walkthrough of(String page, Path directory) throws IOException {
        Files.createSymbolicLink(directory.resolve("berth"), ROOT.resolve("berth"));
        Files.createSymbolicLink(directory.resolve("examples"), ROOT.resolve("examples"));
        Files.createSymbolicLink(directory.resolve("charts"), ROOT.resolve("charts"));
        return new Walkthrough(directory, steps(Files.readString(ROOT.resolve(page))));
    }

    private static List<Step> steps(String page) {
        List<Step> steps = new ArrayList<>();
        var block = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL).matcher(page);
        while (block.find()) {
            for (String part : block.group(1).split("(?m)^\\$ ")) {
                if (part.isBlank()) continue;
                List<String> lines = part.lines().toList();
                steps.add(new Step(lines.getFirst(), lines.subList(1, lines.size())));
            }
        }
        return steps;
    }

    List<Step> steps() {
        return steps;
    }

    /** The command's output; it must succeed. What it exports, later ones see. */
    String run(String command) throws IOException, InterruptedException {
        var export = Pattern.compile("export (\\w+)=(\\S+)").matcher(command);
        if (export.matches()) {
            exported.put(export.group(1), export.group(2));
            return "";
        }
        Path output = Files.createTempFile(directory, "step", ".txt");
        Process process = start(command, output);
        boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!ended) process.destroyForcibly();
        String text = Files.readString(output);
        assertThat(ended)
                .as("%s ends within %s; so far it printed: %s", command, PATIENCE, text)
                .isTrue();
        assertThat(process.exitValue()).as(command + "\n" + text).isZero();
        return text;
    }

    Process start(String command, Path output) throws IOException {
        var builder = new ProcessBuilder("bash", "-c", command).directory(directory.toFile());
        builder.environment().putAll(exported);
        return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }
}
