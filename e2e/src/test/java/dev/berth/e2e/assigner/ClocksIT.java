package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.FakeClock;
import dev.berth.e2e.server.SystemPart;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The clock of one of two replicas is set while GPUs are promised and held. */
@OnBothServers
class ClocksIT {
    private static final Duration HOUR = Duration.ofHours(1);
    /** Longer than the rounds in which replicas look after reservations and ledgers. */
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    @TempDir
    private Path folder = Path.of(".");

    @Story
    @Timeout(300)
    void nothingIsGivenAwayAndNothingIsKeptForLonger(Cluster server) throws Exception {
        var clock = clock();
        try (var gpus = new GpuCluster(server)) {
            gpus.addNodes(1, 2);
            try (var steady = Replica.start(server.kubeconfig(), gpus.claims(), "--ledger=shared");
                    var astray =
                            Replica.start(clock.environment(), server.kubeconfig(), gpus.claims(), "--ledger=shared")) {
                gpus.create("p1", ask(gpus, steady, "p1"));
                GpuCluster.await("the reservation is its pod's", () -> hasHolder(gpus, "p1"));
                // Promised, and its pod is still on its way: the minute in which a clock that is ahead might take it.
                var promised = ask(gpus, steady, "p2");
                var holders = holders(gpus);
                assertThat(holders).hasSize(2);

                clock.set(HOUR);
                assertNothingIsGiven(gpus, astray, "ahead");
                assertThat(holders(gpus)).isEqualTo(holders);
                gpus.create("p2", promised);

                clock.set(HOUR.negated());
                GpuCluster.await("the second reservation is its pod's", () -> hasHolder(gpus, "p2"));
                gpus.remove("p1");
                GpuCluster.await("the GPU of a pod that is gone is free", () -> isAllowed(gpus, astray, "p3"));

                // Nobody ever makes the pod p3. It was promised by a clock that is behind, and one that is ahead looks
                // on.
                clock.set(HOUR);
                long promisedAt = System.nanoTime();
                GpuCluster.awaitLonger("the promise ends", () -> isAllowed(gpus, steady, "p4"));
                assertThat(Duration.ofNanos(System.nanoTime() - promisedAt))
                        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(90));
            }
        }
    }

    private FakeClock clock() {
        try {
            return FakeClock.in(folder);
        } catch (SystemPart.Unavailable e) {
            var reason = "no libfaketime: " + e.getMessage();
            if ("true".equals(System.getenv("CI"))) throw new IllegalStateException(reason, e);
            throw new TestAbortedException(reason, e);
        }
    }

    private static void assertNothingIsGiven(GpuCluster gpus, Replica replica, String when) throws Exception {
        long end = System.nanoTime() + A_WHILE.toNanos();
        for (int attempt = 0; System.nanoTime() < end; attempt++) {
            var answer = ask(gpus, replica, "thief-%s-%d".formatted(when, attempt));
            assertThat(answer.at("/status/code").asInt())
                    .as("%s: %s", when, answer)
                    .isEqualTo(429);
            Thread.sleep(500);
        }
    }

    private static Map<String, String> holders(GpuCluster gpus) {
        var holders = new TreeMap<String, String>();
        for (Lease lease : gpus.leases()) {
            holders.put(
                    lease.getMetadata().getName(),
                    String.valueOf(lease.getSpec().getHolderIdentity()));
        }
        return holders;
    }

    private static boolean hasHolder(GpuCluster gpus, String pod) {
        var uid = gpus.client
                .pods()
                .inNamespace(gpus.work())
                .withName(pod)
                .get()
                .getMetadata()
                .getUid();
        return holders(gpus).containsValue(uid);
    }

    private static boolean isAllowed(GpuCluster gpus, Replica replica, String pod) {
        try {
            return ask(gpus, replica, pod).path("allowed").asBoolean();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    private static JsonNode ask(GpuCluster gpus, Replica replica, String pod) throws Exception {
        return GpuCluster.response(replica.mutate(gpus.review("req-" + pod + "-" + System.nanoTime(), pod, 1)));
    }
}
