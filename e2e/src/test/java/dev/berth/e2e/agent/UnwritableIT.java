package dev.berth.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that cannot be written ends readiness, not advice; when it can be written again, all is well by itself.
 */
class UnwritableIT {
    @TempDir
    private Path folder = Path.of(".");

    /** What a full disk is to a program: files that may not grow. */
    @Test
    @Timeout(120)
    void aFullDisk() throws Exception {
        var file = folder.resolve("agent.db").toString();
        try (var agent = AgentProcess.start(Map.of("SCHEDULER_SQLITE_PATH", file))) {
            assertThat(agent.observe("job", "G", 42)).isEqualTo(200);
            agent.awaitReady(true);

            limitFiles(agent, "0:");

            assertThat(agent.observe("job", "G", 1000)).isEqualTo(503);
            assertThat(agent.ready()).isFalse();
            assertThat(agent.expected("job", "G")).as("nothing was learned").isEqualTo(42);

            limitFiles(agent, "unlimited:");

            agent.awaitReady(true);
            assertThat(agent.observe("job", "G", 52)).isEqualTo(200);
            assertThat(agent.expected("job", "G")).isCloseTo(43, within(1e-9));
        }
    }

    /** Before it was full, while it was, and when there was room again. */
    @Test
    @Timeout(120)
    void afterAFullDiskARestartFindsWhatWasAcknowledgedAndNothingElse() throws Exception {
        var environment =
                Map.of("SCHEDULER_SQLITE_PATH", folder.resolve("agent.db").toString());
        List<String> acknowledged = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        try (var agent = AgentProcess.start(environment)) {
            for (int number = 0; number < 60; number++) {
                if (number == 20) limitFiles(agent, "0:");
                if (number == 40) limitFiles(agent, "unlimited:");
                var job = "job-" + number;
                (agent.observe(job, "G", 1000 + number) == 200 ? acknowledged : refused).add(job);
            }
            agent.kill();
        }
        assertThat(refused).hasSizeBetween(15, 25);
        try (var restarted = AgentProcess.start(environment)) {
            for (var job : acknowledged)
                assertThat(restarted.expected(job, "G")).as(job).isGreaterThanOrEqualTo(1000);
            for (var job : refused)
                assertThat(restarted.expected(job, "G")).as(job).isEqualTo(10);
        }
    }

    @Test
    @Timeout(120)
    void aFullDiskIsNoticedThoughNobodyObserves() throws Exception {
        var file = folder.resolve("agent.db").toString();
        try (var agent = AgentProcess.start(Map.of("SCHEDULER_SQLITE_PATH", file))) {
            agent.awaitReady(true);

            limitFiles(agent, "0:");

            agent.awaitReady(false);
        }
    }

    private static void limitFiles(AgentProcess agent, String limit) throws Exception {
        var prlimit = new ProcessBuilder("prlimit", "--pid=" + agent.pid(), "--fsize=" + limit)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(prlimit.exitValue()).isZero();
    }

    @Test
    @Timeout(180)
    void aServerThatIsStopped() throws Exception {
        try (var postgres = PostgresOrSkip.start();
                var agent = AgentProcess.start(Map.of("SCHEDULER_STORE_URL", postgres.url()))) {
            assertThat(agent.observe("job", "G", 42)).isEqualTo(200);
            agent.awaitReady(true);

            postgres.stop();

            agent.awaitReady(false);
            assertThat(agent.observe("job", "G", 1000)).isEqualTo(503);
            assertThat(agent.expected("job", "G")).isEqualTo(42);

            postgres.resume();

            agent.awaitReady(true);
            assertThat(agent.observe("job", "G", 52)).isEqualTo(200);
            assertThat(agent.expected("job", "G")).isCloseTo(43, within(1e-9));
        }
    }

    @Test
    @Timeout(180)
    void aServerThatComesLaterThanTheAgent() throws Exception {
        try (var postgres = PostgresOrSkip.start()) {
            var environment = Map.of("SCHEDULER_STORE_URL", postgres.url());
            try (var before = AgentProcess.start(environment)) {
                assertThat(before.observe("job", "G", 42)).isEqualTo(200);
            }
            postgres.stop();
            try (var agent = AgentProcess.start(environment)) {
                assertThat(agent.ready()).isFalse();
                assertThat(agent.expected("job", "G")).as("what nobody knows").isEqualTo(10);

                postgres.resume();

                agent.awaitReady(true);
                assertThat(agent.expected("job", "G")).isEqualTo(42);
            }
        }
    }
}
