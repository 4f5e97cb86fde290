package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import dev.berth.kube.lease.LeaderElection.Candidate;
import dev.berth.kube.lease.LeaderElection.Timing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
    private static final Timing QUICK =
            new Timing(Duration.ofMillis(1500), Duration.ofMillis(1000), Duration.ofMillis(100));

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theNextOneTakesOverAtOnceWhenTheLeaderResigns() {
        var diary = new Diary();
        var anna = run(server.connect(), "resigning", "anna", diary);
        TestServer.await("anna leads", anna::leading);
        try (var bert = run(server.connect(), "resigning", "bert", diary)) {
            anna.close();

            TestServer.await("bert leads", bert::leading);
            assertThat(diary.lines).containsExactly("anna elected", "anna deposed: shutting down", "bert elected");
        }
    }

    @Test
    void aLeaderThatIsCutOffStepsDownBeforeTheNextOneLeads() {
        var diary = new Diary();
        var wire = server.wire();
        try (var anna = run(server.connectOver(wire), "cut-off", "anna", diary)) {
            TestServer.await("anna leads", anna::leading);
            try (var bert = run(server.connect(), "cut-off", "bert", diary)) {
                wire.block();

                TestServer.await("bert leads", bert::leading);
                assertThat(diary.lines)
                        .containsExactly(
                                "anna elected",
                                "anna deposed: the lease could not be renewed within PT1S",
                                "bert elected");
            }
        }
    }

    @Test
    void aLeaderWhoseServerTakesItsRequestsAndSaysNothingStepsDownInTimeToo() {
        var diary = new Diary();
        var wire = server.wire();
        try (var anna = run(server.connectOver(wire), "silent", "anna", diary)) {
            TestServer.await("anna leads", anna::leading);
            try (var bert = run(server.connect(), "silent", "bert", diary)) {
                wire.fallSilent();

                TestServer.await("bert leads", bert::leading);
                assertThat(diary.lines)
                        .containsExactly(
                                "anna elected",
                                "anna deposed: the lease could not be renewed within PT1S",
                                "bert elected");
            }
        }
    }

    @Test
    void aTimingThatCouldMakeTwoLeadersIsRefused() {
        assertThatThrownBy(() -> new Timing(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static LeaderElection run(Cluster cluster, String lease, String who, Diary diary) {
        var leases = new Leases(cluster, "default", InstantSource.system());
        return LeaderElection.start(leases, lease, who, QUICK, diary.of(who));
    }

    private static final class Diary {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Candidate of(String who) {
            return new Candidate() {
                @Override
                public void elected() {
                    lines.add(who + " elected");
                }

                @Override
                public void deposed(String why) {
                    lines.add(who + " deposed: " + why);
                }
            };
        }
    }
}
