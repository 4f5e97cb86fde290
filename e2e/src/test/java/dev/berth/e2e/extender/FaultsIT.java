package dev.berth.e2e.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** What becomes of decisions when the API server fails, or the scheduler does not follow them. */
@OnBothServers
class FaultsIT {
    private static final Duration HANGS = Duration.ofSeconds(20);

    @Story
    @Timeout(300)
    void whenThePatchFailsNothingStaysReserved(Cluster server) throws Exception {
        try (var slices = new SliceCluster(server);
                var proxy = FaultProxy.start(server)) {
            slices.addNodes(1, 1, 4);
            try (var replica = Replica.start(proxy.kubeconfig())) {
                var pod = slices.create("refused", 100, 0);
                proxy.plan(request -> request.method().equals("PATCH") ? new Fault.Refuse(403) : Fault.NONE);

                var reply = replica.ask("predicates", slices.question(pod));

                assertThat(SliceCluster.chosen(reply)).isEqualTo("none");
                assertThat(reply.path("FailedNodes")
                                .path(slices.nodes().getFirst())
                                .asText())
                        .isEqualTo("update pod annotation failed");
                SliceCluster.await("nothing to be reserved", () -> slices.held() == 0);

                proxy.plan(request -> Fault.NONE);
                awaitPlaced(replica, slices, slices.create("other", 100, 0));
            }
        }
    }

    @Story
    @Timeout(300)
    void anApiServerThatHangsGetsAnErrorInTime(Cluster server) throws Exception {
        try (var slices = new SliceCluster(server);
                var proxy = FaultProxy.start(server)) {
            slices.addNodes(1, 1, 4);
            try (var replica = Replica.start(proxy.kubeconfig())) {
                var pod = slices.create("hanging", 50, 1);
                proxy.plan(request -> request.watch() ? Fault.NONE : new Fault.Slow(HANGS));

                var reply = inTime(() -> replica.ask("predicates", slices.question(pod)));
                assertThat(SliceCluster.chosen(reply)).startsWith("error: ");
                var volcano = Replica.JSON.createObjectNode();
                volcano.putObject("task").set("Pod", Replica.JSON.valueToTree(slices.create("volcano", 50, 1)));
                volcano.putObject("node").put("Name", slices.nodes().getFirst());
                var answer = inTime(() -> replica.ask("vpredicates", volcano.toString()));
                assertThat(answer.path("code").asInt()).isEqualTo(1);

                proxy.plan(request -> Fault.NONE);
                awaitPlaced(replica, slices, pod);
            }
        }
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws Exception;
    }

    /** Long before the API server answers: nobody waits for it. How long exactly depends on how busy the machine is. */
    private static <T> T inTime(Question<T> question) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.submit(question::ask).get(HANGS.dividedBy(2).toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Story
    @Timeout(300)
    void aDecisionThatIsNotFollowedIsReleasedAndThePodPlacedAgain(Cluster server) throws Exception {
        try (var slices = new SliceCluster(server)) {
            slices.addNodes(1, 1, 4);
            try (var replica = Replica.start(server.kubeconfig(), "--assume-ttl=5s")) {
                var first = slices.create("first", 100, 0);
                var second = slices.create("second", 100, 0);
                var node = slices.nodes().getFirst();
                awaitPlaced(replica, slices, first);
                assertThat(SliceCluster.chosen(replica.ask("predicates", slices.question(second))))
                        .isEqualTo("none");

                SliceCluster.await("the decision to be released", () -> slices.held() == 0);
                assertThat(SliceCluster.annotations(slices.read(first))).doesNotContainKey(SliceCluster.NODE);

                awaitPlaced(replica, slices, second);
                slices.bind(second, node);
                assertThat(SliceCluster.chosen(replica.ask("predicates", slices.question(slices.read(first)))))
                        .isEqualTo("none");
            }
        }
    }

    /** Asks again as a scheduler does: the extender hears of what it released a moment after it is written. */
    private static void awaitPlaced(Replica replica, SliceCluster slices, Pod pod) {
        SliceCluster.await("the pod to be placed after all", () -> {
            try {
                return SliceCluster.chosen(replica.ask("predicates", slices.question(slices.read(pod))))
                        .equals(slices.nodes().getFirst());
            } catch (IOException problem) {
                return false;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
    }
}
