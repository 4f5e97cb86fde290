package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What a figure must be read with: where and when it was taken, and how busy the machine was. */
public final class Machine {
    private Machine() {}

    public static String words() throws IOException {
        var processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst(".*?: ", ""))
                .findFirst();
        return "%s, %s, %d cores, load %s, JDK %s"
                .formatted(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        processor.orElse("unknown processor"),
                        Runtime.getRuntime().availableProcessors(),
                        load(),
                        Runtime.version());
    }

    public static String load() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
    }
}
