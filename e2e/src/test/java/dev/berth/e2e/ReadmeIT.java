package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's tour is true: its commands are run as a reader would run them, and print what it says. */
class ReadmeIT {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void theTourPrintsWhatTheReadmeSays() throws Exception {
        var tour = Walkthrough.of("README.md", directory);
        var steps = tour.steps();
        assertThat(steps.getFirst().command()).isEqualTo("./berth up");
        assertThat(steps.size()).isGreaterThan(5);
        Path output = directory.resolve("up.txt");
        Process up = tour.start("exec ./berth up 2>/dev/null", output);
        try {
            awaitLine(output, "Ctrl-C stops it.", up);
            steps.getFirst().assertPrinted(Files.readString(output), ReadmeIT::normal);
            for (var step : steps.subList(1, steps.size())) {
                if (step.command().contains(" get ")) awaitPrinted(tour, step);
                else step.assertPrinted(tour.run(step.command()), ReadmeIT::normal);
            }
        } finally {
            up.destroy();
            assertThat(up.waitFor(20, TimeUnit.SECONDS))
                    .as("up stops when asked")
                    .isTrue();
        }
        assertThat(up.exitValue()).as("up stops cleanly").isZero();
    }

    /** The reader types more slowly than events and ledgers are written. */
    private static void awaitPrinted(Walkthrough tour, Walkthrough.Step step) throws Exception {
        long deadline = System.nanoTime() + Walkthrough.PATIENCE.toNanos();
        var wanted = step.expected().stream().map(ReadmeIT::normal).toList();
        while (true) {
            var printed = tour.run(step.command());
            if (printed.lines().map(ReadmeIT::normal).toList().equals(wanted) || System.nanoTime() > deadline) {
                step.assertPrinted(printed, ReadmeIT::normal);
                return;
            }
            Thread.sleep(200);
        }
    }

    /** Ports, ages and dates differ from run to run; everything else is to the letter. */
    private static String normal(String line) {
        return line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "TIME")
                .replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)\\s*", "AGE ")
                .replaceAll("AGE\\s+", "AGE ")
                .stripTrailing();
    }

    private static void awaitLine(Path file, String line, Process process) throws Exception {
        long deadline = System.nanoTime() + Walkthrough.PATIENCE.toNanos();
        while (!Files.readString(file).contains(line)) {
            assertThat(process.isAlive()).as("berth up runs").isTrue();
            assertThat(System.nanoTime()).as("berth up is ready in time").isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
