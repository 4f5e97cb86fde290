package dev.berth.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server that is up and can be measured.
 *
 * @param token empty when none is needed
 * @param processes what it runs as, by the name to print
 */
record Target(String name, URI address, String token, Map<String, Process> processes) implements AutoCloseable {

    void awaitReady(Duration patience) throws IOException, InterruptedException {
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
    double megabytes() throws IOException {
        double sum = 0;
        for (Process process : processes.values()) {
            List<String> status = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
            for (String line : status) {
                if (line.startsWith("VmRSS:")) {
                    sum += Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
                }
            }
        }
        return sum;
    }

    /** Processor time that all its processes have used so far, in seconds. */
    double processorSeconds() {
        double sum = 0;
        for (Process process : processes.values()) {
            sum += process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
        }
        return sum;
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
