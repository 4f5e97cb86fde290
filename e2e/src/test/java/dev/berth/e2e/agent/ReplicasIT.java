package dev.berth.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents that share a PostgreSQL server share what they learn. */
class ReplicasIT {
    private static final int EACH = 60;

    @Test
    @Timeout(180)
    void whatOneObservedTheOtherUses() throws Exception {
        for (var model : List.of("ema", "bayes")) {
            try (var postgres = PostgresOrSkip.start()) {
                var environment = Map.of("SCHEDULER_STORE_URL", postgres.url(), "SCHEDULER_MODEL", model);
                try (var first = AgentProcess.start(environment);
                        var second = AgentProcess.start(environment)) {
                    assertThat(first.observe("train", "H100", 400)).isEqualTo(200);

                    Await.until(
                            Duration.ofSeconds(20),
                            () -> Math.abs(expected(second, "train") / 400 - 1) < 0.2,
                            () -> "%s: the second replica expects %s".formatted(model, expected(second, "train")));
                }
            }
        }
    }

    @Test
    @Timeout(180)
    void replicasThatObserveAtTheSameTimeComeToTheSameAverages() throws Exception {
        try (var postgres = PostgresOrSkip.start()) {
            var environment = Map.of("SCHEDULER_STORE_URL", postgres.url());
            try (var first = AgentProcess.start(environment);
                    var second = AgentProcess.start(environment)) {
                List<Thread> senders = new ArrayList<>();
                for (var agent : List.of(first, second)) {
                    senders.add(Thread.ofVirtual().start(() -> observeMany(agent)));
                }
                for (var sender : senders) sender.join(Duration.ofSeconds(60));
                // The last word is one that both must have heard after all the others.
                assertThat(first.observe("last", "H100", 77)).isEqualTo(200);
                Await.until(Duration.ofSeconds(20), () -> expected(second, "last") == 77, () -> "not heard");

                assertThat(expected(first, "train"))
                        .isEqualTo(expected(second, "train"))
                        .isBetween(100.0, 160.0);
                try (var third = AgentProcess.start(environment)) {
                    assertThat(expected(third, "train")).isEqualTo(expected(first, "train"));
                }
            }
        }
    }

    @Test
    @Timeout(180)
    void aRunOfWhichBothAreToldCountsOnce() throws Exception {
        try (var postgres = PostgresOrSkip.start()) {
            var environment = Map.of("SCHEDULER_STORE_URL", postgres.url());
            try (var first = AgentProcess.start(environment);
                    var second = AgentProcess.start(environment)) {
                assertThat(first.observe("pod-1", "train", "H100", 100)).isEqualTo(200);
                assertThat(second.observe("pod-1", "train", "H100", 900)).isEqualTo(200);
                assertThat(second.observe("last", "H100", 77)).isEqualTo(200);
                Await.until(Duration.ofSeconds(20), () -> expected(first, "last") == 77, () -> "not heard");

                assertThat(expected(first, "train"))
                        .isEqualTo(expected(second, "train"))
                        .isEqualTo(100);
            }
        }
    }

    private static void observeMany(AgentProcess agent) {
        try {
            for (int i = 0; i < EACH; i++) {
                assertThat(agent.observe("train", "H100", 100 + i)).isEqualTo(200);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static double expected(AgentProcess agent, String job) {
        try {
            return agent.expected(job, "H100");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
