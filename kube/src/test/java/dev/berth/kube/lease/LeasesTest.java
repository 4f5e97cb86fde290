package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.TestServer;
import dev.berth.kube.lease.LeaseOutcome.Acquired;
import dev.berth.kube.lease.LeaseOutcome.HeldBy;
import dev.berth.kube.lease.LeaseOutcome.Lost;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static TestServer server;
    private static Leases leases;
    private static final AtomicReference<Instant> now = new AtomicReference<>(NOON);

    @BeforeAll
    static void start() {
        server = new TestServer();
        leases = new Leases(server.connect(), "default", now::get);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void ofTwoClaimersExactlyOneGetsTheLease() throws Exception {
        var other = new Leases(server.connect(), "default", now::get);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 50; round++) {
                var name = "duel-" + round;
                List<Callable<LeaseOutcome>> duel = List.of(
                        () -> leases.acquire(new LeaseClaim(name, "anna", MINUTE)),
                        () -> other.acquire(new LeaseClaim(name, "bert", MINUTE)));
                int won = 0;
                for (var outcome : threads.invokeAll(duel)) {
                    won += outcome.get() instanceof Acquired ? 1 : 0;
                }
                assertThat(won).as("round %d", round).isEqualTo(1);
            }
        }
    }

    @Test
    void anUnexpiredLeaseIsNeverTakenAndAnExpiredOneIs() {
        leases.acquire(new LeaseClaim("expiring", "anna", MINUTE));
        var bert = new LeaseClaim("expiring", "bert", MINUTE);

        assertThat(leases.acquire(bert)).isEqualTo(new HeldBy("anna", NOON.plus(MINUTE)));
        var later = new Leases(server.connect(), "default", () -> NOON.plus(MINUTE));
        assertThat(held(later.acquire(bert)).getSpec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void aLeaseIsPromotedWithItsMarksAndKeepsItsBeginning() {
        var proposal = held(leases.acquire(
                new LeaseClaim("gpu-1", "request", MINUTE, Map.of("state", "proposal"), Map.of("id", "request"))));

        var active = held(leases.renew(
                proposal,
                new LeaseClaim("gpu-1", "pod-uid", Duration.ofMinutes(5), Map.of("state", "active"), Map.of())));

        assertThat(active.getSpec().getHolderIdentity()).isEqualTo("pod-uid");
        assertThat(active.getSpec().getAcquireTime())
                .isEqualTo(proposal.getSpec().getAcquireTime());
        assertThat(active.getMetadata().getLabels()).containsEntry("state", "active");
        assertThat(active.getMetadata().getAnnotations()).containsEntry("id", "request");
    }

    @Test
    void aLeaseThatAnotherTookIsLost() {
        var mine = held(leases.acquire(new LeaseClaim("lost", "anna", MINUTE)));
        leases.takeOver(mine, new LeaseClaim("lost", "bert", MINUTE));

        assertThat(leases.renew(mine, new LeaseClaim("lost", "anna", MINUTE)))
                .isEqualTo(new Lost("the lease is held by bert"));
        leases.release(mine);
        leases.delete(mine);
        assertThat(leases.read("lost").map(lease -> new LeaseRecord(lease).holder()))
                .contains("bert");
    }

    @Test
    void aDeletedLeaseIsLost() {
        var mine = held(leases.acquire(new LeaseClaim("gone", "anna", MINUTE)));
        leases.delete(mine);

        assertThat(leases.renew(mine, new LeaseClaim("gone", "anna", MINUTE))).isEqualTo(new Lost("the lease is gone"));
    }

    @Test
    void anAnswerThatIsLostDoesNotLoseTheLease() {
        var wire = server.wire();
        var shaky = new Leases(server.connectOver(wire), "default", now::get);
        wire.loseAnswerTo("POST /apis/coordination");

        var outcome = shaky.acquire(new LeaseClaim("shaky", "anna", MINUTE));

        assertThat(wire.lost()).isEqualTo(1);
        assertThat(held(outcome).getSpec().getHolderIdentity()).isEqualTo("anna");
    }

    @Test
    void timesHaveSixDigitsAsKubernetesWritesThem() {
        var cluster = server.connect();
        var lease = LeaseRecord.fresh(new LeaseClaim("times", "anna", MINUTE), "default", NOON.plusNanos(1_000_999));

        assertThat(cluster.client().getKubernetesSerialization().asJson(lease))
                .contains("\"renewTime\":\"2026-01-01T12:00:00.001000Z\"");
    }

    private static Lease held(LeaseOutcome outcome) {
        assertThat(outcome).isInstanceOf(Acquired.class);
        return ((Acquired) outcome).lease();
    }
}
