package dev.berth.pinner.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CheckServiceTest {
    /** Runs it until its first line was said, stops it, and gives back all lines without their times. */
    private static List<String> said(Map<String, String> environment) throws Exception {
        var said = new CountDownLatch(1);
        var text = new StringWriter();
        var out = new PrintWriter(text) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains("Node: ")) {
                    said.countDown();
                }
            }
        };
        var service = new CheckService(environment, () -> "host", out, InstantSource.system());
        var running = Thread.ofVirtual().start(() -> {
            try {
                service.run();
            } catch (CheckService.BadIntervalException | InterruptedException problem) {
                throw new IllegalStateException(problem);
            }
        });
        said.await();
        service.stop(15, Duration.ofSeconds(10));
        running.join();
        return text.toString()
                .lines()
                .map(line -> line.replaceFirst("^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} - __main__ - ", ""))
                .toList();
    }

    @Test
    void itSaysWhereItIsAndWhatItSees() throws Exception {
        assertThat(said(Map.of("NODE_NAME", "n1", "CUDA_VISIBLE_DEVICES", "0,1", "LOG_INTERVAL", "60")))
                .containsExactly(
                        "INFO - GPU Scheduler Check service starting...",
                        "INFO - Log interval: 60 seconds",
                        "INFO - Environment validation passed",
                        "INFO - Node: n1, CUDA_VISIBLE_DEVICES: 0,1",
                        "INFO - Received signal 15, shutting down gracefully...",
                        "INFO - GPU Scheduler Check service stopped");
    }

    @Test
    void whatIsMissingIsAWarning() throws Exception {
        assertThat(said(Map.of()))
                .contains(
                        "INFO - Log interval: 10 seconds",
                        "WARNING - Environment issue: NODE_NAME environment variable not set",
                        "WARNING - Environment issue: CUDA_VISIBLE_DEVICES not set by scheduler",
                        "INFO - Node: host, CUDA_VISIBLE_DEVICES: not-set")
                .doesNotContain("INFO - Environment validation passed");
    }

    @Test
    void anEmptyListIsCalledEmpty() throws Exception {
        assertThat(said(Map.of("NODE_NAME", "n1", "CUDA_VISIBLE_DEVICES", "")))
                .contains(
                        "WARNING - Environment issue: CUDA_VISIBLE_DEVICES is empty",
                        "INFO - Node: n1, CUDA_VISIBLE_DEVICES: empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5"})
    void anIntervalIsAtLeastASecond(String interval) {
        assertThatThrownBy(() -> said(Map.of("LOG_INTERVAL", interval), interval))
                .hasMessage("LOG_INTERVAL must be at least 1 second");
    }

    @Test
    void anIntervalIsANumber() {
        assertThatThrownBy(() -> said(Map.of("LOG_INTERVAL", "soon"), "soon"))
                .hasMessage("LOG_INTERVAL must be a number of seconds, not 'soon'");
    }

    private static void said(Map<String, String> environment, String interval) throws Exception {
        assertThat(environment).containsValue(interval);
        new CheckService(environment, () -> "host", new PrintWriter(new StringWriter()), InstantSource.system()).run();
    }
}
