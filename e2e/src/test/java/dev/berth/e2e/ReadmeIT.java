package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's tour is true: its commands are run as a reader would run them, and print what it says. */
class ReadmeIT {
    private static final Path ROOT = Path.of(System.getProperty("berth.e2e.directory", "."))
            .toAbsolutePath()
            .normalize()
            .resolve("..")
            .normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory = Path.of(".");

    /** A command of the README, and the lines under it. */
    private record Step(String command, List<String> expected) {}

    @Test
    void theTourPrintsWhatTheReadmeSays() throws Exception {
        Files.createSymbolicLink(directory.resolve("berth"), ROOT.resolve("berth"));
        Files.createSymbolicLink(directory.resolve("examples"), ROOT.resolve("examples"));
        List<Step> steps = steps(Files.readString(ROOT.resolve("README.md")));
        assertThat(steps.getFirst().command()).isEqualTo("./berth up");
        assertThat(steps.size()).isGreaterThan(5);
        Path output = directory.resolve("up.txt");
        Process up = start("exec ./berth up 2>/dev/null", output);
        try {
            awaitLine(output, "Ctrl-C stops it.", up);
            assertPrinted(steps.getFirst(), Files.readString(output));
            for (Step step : steps.subList(1, steps.size())) assertPrinted(step, run(step.command()));
        } finally {
            up.destroy();
            assertThat(up.waitFor(20, TimeUnit.SECONDS))
                    .as("up stops when asked")
                    .isTrue();
        }
        assertThat(up.exitValue()).as("up stops cleanly").isZero();
    }

    private static List<Step> steps(String readme) {
        List<Step> steps = new ArrayList<>();
        var block = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL).matcher(readme);
        while (block.find()) {
            for (String part : block.group(1).split("(?m)^\\$ ")) {
                if (part.isBlank()) continue;
                List<String> lines = part.lines().toList();
                steps.add(new Step(lines.getFirst(), lines.subList(1, lines.size())));
            }
        }
        return steps;
    }

    private static void assertPrinted(Step step, String output) {
        assertThat(output.lines().map(ReadmeIT::normal).toList())
                .as(step.command())
                .isEqualTo(step.expected().stream().map(ReadmeIT::normal).toList());
    }

    /** Ports, ages and dates differ from run to run; everything else is to the letter. */
    private static String normal(String line) {
        return line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "TIME")
                .replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)\\s*", "AGE ")
                .replaceAll("AGE\\s+", "AGE ")
                .stripTrailing();
    }

    private Process start(String command, Path output) throws IOException {
        var builder = new ProcessBuilder("bash", "-c", command).directory(directory.toFile());
        builder.environment().put("BERTH_NO_BUILD", "1");
        return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    private String run(String command) throws Exception {
        Path output = Files.createTempFile(directory, "step", ".txt");
        Process process = start(command, output);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(command)
                .isTrue();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(command + "\n" + text).isZero();
        return text;
    }

    private static void awaitLine(Path file, String line, Process process) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.readString(file).contains(line)) {
            assertThat(process.isAlive()).as("berth up runs").isTrue();
            assertThat(System.nanoTime()).as("berth up is ready in time").isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
