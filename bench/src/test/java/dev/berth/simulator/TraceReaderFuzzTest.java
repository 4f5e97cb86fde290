package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Any file in place of a trace or of a cluster is read, or refused with its name. */
class TraceReaderFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isReadOrRefused(byte[] text) throws IOException {
        var file = Files.createTempFile("trace", ".csv");
        try {
            Files.write(file, text);
            attempt(() -> TraceReader.machines(file), file);
            attempt(() -> TraceReader.tasks(file), file);
            attempt(() -> ClusterReader.read(file), file);
        } finally {
            Files.delete(file);
        }
    }

    private interface Reading {
        Object read() throws IOException;
    }

    private static void attempt(Reading reading, Path file) throws IOException {
        try {
            assertThat(reading.read()).isNotNull();
        } catch (BadTraceException refused) {
            assertThat(refused.getMessage()).contains(file.getFileName().toString());
        }
    }
}
