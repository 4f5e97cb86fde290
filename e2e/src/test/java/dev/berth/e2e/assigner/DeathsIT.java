package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;

/** A replica is killed on the way of a request, and comes back: no GPU is lost for long, none is given twice. */
@OnBothServers
class DeathsIT {
    @Story
    @Timeout(240)
    void killedBeforeTheLeaseTheGpuIsFreeAgainAfterItsProposalTime(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server);
                var proxy = FaultProxy.start(server)) {
            gpus.addNodes(1, 1);
            try (var replica = Replica.start(proxy.kubeconfig(), gpus.claims(), "--ledger=shared")) {
                killOnLease(proxy, replica, Fault.Before::new);
                askAndSeeItDie(gpus, replica, "req-1");
                assertThat(gpus.leases()).isEmpty();
                replica.killAndRestart();

                long asked = System.nanoTime();
                GpuCluster.awaitLonger("the GPU is free again", () -> allowed(gpus, replica, "p2"));

                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(75));
                assertThat(gpus.leases()).hasSize(1);
            }
        }
    }

    @Story
    @Timeout(240)
    void killedAfterTheLeaseTheSameRequestGetsTheSameGpu(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server);
                var proxy = FaultProxy.start(server)) {
            gpus.addNodes(2, 2);
            try (var replica = Replica.start(proxy.kubeconfig(), gpus.claims())) {
                killOnLease(proxy, replica, Fault.After::new);
                askAndSeeItDie(gpus, replica, "req-1");
                assertThat(gpus.leases()).hasSize(1);
                replica.killAndRestart();

                var again = ask(gpus, replica, "req-1", "p1");

                assertThat(again.path("allowed").asBoolean()).as("%s", again).isTrue();
                assertThat(gpus.leases()).hasSize(1);
                assertThat(GpuCluster.uuids(again))
                        .containsExactly(gpus.leases()
                                .getFirst()
                                .getMetadata()
                                .getLabels()
                                .get("fudo.org/gpu.uuid"));
            }
        }
    }

    @Story
    @Timeout(240)
    void killedAfterTheReplyThePodKeepsItsGpu(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            gpus.addNodes(1, 1);
            try (var replica = Replica.start(server.kubeconfig(), gpus.claims())) {
                var response = ask(gpus, replica, "req-1", "p1");
                replica.kill();
                var pod = gpus.create("p1", response);

                replica.killAndRestart();

                GpuCluster.await(
                        "the reservation is its pod's",
                        () -> gpus.leases().stream()
                                .allMatch(lease -> pod.getMetadata()
                                        .getUid()
                                        .equals(lease.getSpec().getHolderIdentity())));
                assertThat(ask(gpus, replica, "req-2", "p2")
                                .path("status")
                                .path("code")
                                .asInt())
                        .isEqualTo(429);
                gpus.remove("p1");
                GpuCluster.await("the reservation is gone", () -> gpus.leases().isEmpty());
                // The replica hears of it from its watch, a moment after the API server did it.
                GpuCluster.await("the GPU is free", () -> allowed(gpus, replica, "p3"));
            }
        }
    }

    private static void killOnLease(FaultProxy proxy, Replica replica, Function<Runnable, Fault> when) {
        var first = new AtomicBoolean(true);
        proxy.plan(request ->
                request.method().equals("POST") && request.path().endsWith("/leases") && first.getAndSet(false)
                        ? when.apply(replica::kill)
                        : Fault.NONE);
    }

    private static void askAndSeeItDie(GpuCluster gpus, Replica replica, String uid) throws InterruptedException {
        try {
            replica.mutate(gpus.review(uid, "p1", 1));
            throw new AssertionError("the replica answered");
        } catch (IOException died) {
            // As planned.
        }
    }

    private static boolean allowed(GpuCluster gpus, Replica replica, String pod) {
        try {
            return ask(gpus, replica, pod + System.nanoTime(), pod)
                    .path("allowed")
                    .asBoolean();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    private static JsonNode ask(GpuCluster gpus, Replica replica, String uid, String pod) throws Exception {
        return GpuCluster.response(replica.mutate(gpus.review(uid, pod, 1)));
    }
}
