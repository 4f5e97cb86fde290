package dev.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What a JVM's heap holds after a full collection, by class, as jcmd tells. */
public record LiveHeap(double megabytes, List<String> largest) {
    private static final int SHOWN = 25;

    /** @param door one that runs as one process */
    public static LiveHeap of(Target door) throws IOException, InterruptedException {
        long process = door.processes().values().iterator().next().pid();
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var program = new ProcessBuilder(jcmd, Long.toString(process), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        var lines = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        program.waitFor();
        var total = lines.isEmpty() ? "" : lines.getLast().strip();
        if (!total.startsWith("Total")) throw new IOException("jcmd says: " + String.join("\n", lines));
        double bytes = Double.parseDouble(total.split("\\s+")[2]);
        return new LiveHeap(bytes / (1 << 20), lines.stream().limit(SHOWN).toList());
    }
}
