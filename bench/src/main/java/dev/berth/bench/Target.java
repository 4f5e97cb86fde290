package dev.berth.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A server that is up and can be measured.
 *
 * @param token empty when none is needed
 * @param processes what it runs as, by the name to print
 */
public record Target(String name, URI address, String token, Map<String, Process> processes) implements AutoCloseable {
    /** Linux counts processor time for readers of /proc in hundredths of a second. */
    private static final double TICKS_A_SECOND = 100;

    public void awaitReady(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            for (var process : processes.entrySet()) {
                if (!process.getValue().isAlive()) throw new IOException(process.getKey() + " did not start");
            }
            try (var connection = new Connection(this)) {
                if (connection.send(connection.request("GET", "/readyz", new byte[0])) == 200) return;
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline) throw notYet;
            }
            if (System.nanoTime() > deadline) throw new IOException(name + " is not ready");
            Thread.sleep(200);
        }
    }

    /** Resident memory of every process, in megabytes. */
    public double megabytes() throws IOException {
        double sum = 0;
        for (Process process : processes.values()) sum += megabytes(process);
        return sum;
    }

    /** The same of one process. */
    static double megabytes(Process process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
        }
        return 0;
    }

    /** Processor time that all its processes have used so far, in seconds. */
    public double processorSeconds() {
        double sum = 0;
        for (Process process : processes.values()) sum += processorSeconds(process);
        return sum;
    }

    /** The same of one process. */
    static double processorSeconds(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    /** The part of it that a JVM's compilers have used: none for other programs. */
    double compilerSeconds() throws IOException {
        long ticks = 0;
        for (Process process : processes.values()) {
            try (var threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
                for (Path thread : threads.toList()) ticks += compilerTicks(thread);
            }
        }
        return ticks / TICKS_A_SECOND;
    }

    private static long compilerTicks(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) return 0;
            // Behind the name in parentheses, which may hold blanks: user and system time are the 12th and 13th.
            String[] fields = Files.readString(thread.resolve("stat"))
                    .replaceFirst(".*\\) ", "")
                    .split(" ");
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException gone) {
            return 0;
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroy);
        for (Process process : processes.values()) {
            try {
                if (!process.waitFor(Duration.ofSeconds(20))) process.destroyForcibly();
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
