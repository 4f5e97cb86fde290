package dev.berth.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An observation that was acknowledged is there after the agent was killed without warning. */
class KillIT {
    private static final int ROUNDS = 3;
    private static final int SENDERS = 4;
    private static final int ENOUGH = 40;

    @TempDir
    private Path folder = Path.of(".");

    @Test
    @Timeout(240)
    void aFileKeepsWhatWasAcknowledged() throws Exception {
        killAgainAndAgain(
                Map.of("SCHEDULER_SQLITE_PATH", folder.resolve("agent.db").toString()));
    }

    @Test
    @Timeout(240)
    void aServerKeepsWhatWasAcknowledged() throws Exception {
        try (var postgres = PostgresOrSkip.start()) {
            killAgainAndAgain(Map.of("SCHEDULER_STORE_URL", postgres.url()));
        }
    }

    /** Each observation is of a job of its own, so that the agent can be asked for each. */
    private static void killAgainAndAgain(Map<String, String> environment) throws Exception {
        List<Integer> kept = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            var agent = AgentProcess.start(environment);
            try (agent) {
                kept.addAll(killWhileObserving(agent, 1000 * (round + 1)));
            }
            try (var restarted = AgentProcess.start(environment)) {
                for (int number : kept) {
                    assertThat(restarted.expected("job-" + number, "G"))
                            .as("job-" + number)
                            .isEqualTo(number);
                }
            }
        }
        assertThat(kept).hasSizeGreaterThanOrEqualTo(ROUNDS * ENOUGH);
    }

    private static List<Integer> killWhileObserving(AgentProcess agent, int first) throws InterruptedException {
        Queue<Integer> acknowledged = new ConcurrentLinkedQueue<>();
        List<Thread> senders = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            int offset = first + 200 * sender;
            senders.add(Thread.ofVirtual().start(() -> send(agent, offset, acknowledged)));
        }
        Await.until(
                Duration.ofSeconds(60),
                () -> acknowledged.size() >= ENOUGH,
                () -> "only " + acknowledged.size() + " observations");
        agent.kill();
        for (var sender : senders) sender.join(Duration.ofSeconds(30));
        return List.copyOf(acknowledged);
    }

    private static void send(AgentProcess agent, int first, Queue<Integer> acknowledged) {
        try {
            for (int number = first; number < first + 200; number++) {
                if (agent.observe("job-" + number, "G", number) != 200) return;
                acknowledged.add(number);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
