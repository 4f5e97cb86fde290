package dev.berth.e2e.pinner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** Mistakes, faults and deaths: every pod ends where the map says, once, and whoever waits is told why. */
@OnBothServers
class PinnerFaultsIT {
    @Story
    @Timeout(240)
    void whatWasWrongAndIsRightedLaterTakesItsCourse(Dialogue server) {
        var stage = PinnerStage.on(server);
        stage.node("late-worker1", "late1");
        stage.node("late-worker2", "");
        stage.node("late-worker3", "late3");
        stage.ready("late-worker3", "False");
        try (var _ = stage.scheduler("pinner-late", server.cluster().kubeconfig())) {
            stage.replica("mistaken-0", "pinner-late", "0=lat1:0");
            stage.replica("unlabelled-0", "pinner-late", "0=late2:0");
            stage.replica("unready-0", "pinner-late", "0=late3:0");
            stage.replica("deleted-0", "pinner-late", "0=late2:0");
            stage.awaitRefusal("mistaken-0", "no node has the label gpu-node-name=lat1, and none is called so");
            stage.awaitRefusal("unlabelled-0", "no node has the label gpu-node-name=late2, and none is called so");
            stage.awaitRefusal("unready-0", "node(s) were not ready (Ready is False)");
            stage.awaitRefusal("deleted-0", "late2");
            for (var pod : List.of("mistaken-0", "unlabelled-0", "unready-0", "deleted-0")) {
                server.await(
                        "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                        _ -> stage.reasons(pod).contains("FailedScheduling"));
            }

            stage.delete("deleted-0");
            stage.annotate("mistaken-0", "0=late1:0");
            stage.label("late-worker2", "late2");
            stage.ready("late-worker3", "True");

            assertThat(stage.awaitNode("mistaken-0")).isEqualTo("late-worker1");
            assertThat(stage.awaitNode("unlabelled-0")).isEqualTo("late-worker2");
            assertThat(stage.awaitNode("unready-0")).isEqualTo("late-worker3");
            assertThat(stage.holders("late-worker2")).isEqualTo(Map.of("0", List.of("unlabelled-0")));
        }
    }

    @Story
    @Timeout(240)
    void aServerThatIsAwayAndDropsItsWatchesOnlyDelays(Dialogue server) {
        var stage = PinnerStage.on(server);
        stage.node("away-worker", "away");
        try (var proxy = FaultProxy.start(server.cluster());
                var _ = stage.scheduler("pinner-away", proxy.kubeconfig())) {
            stage.replica("before-0", "pinner-away", "0=away:0");
            stage.awaitNode("before-0");

            proxy.cutWatches();
            stage.replica("cut-0", "pinner-away", "0=away:1");
            assertThat(stage.awaitNode("cut-0")).isEqualTo("away-worker");

            var refused = new AtomicInteger();
            proxy.plan(_ -> {
                refused.incrementAndGet();
                return new Fault.Refuse(503);
            });
            proxy.cutWatches();
            stage.replica("gone-0", "pinner-away", "0=away:2");
            server.await(PinnerStage.PODS, _ -> refused.get() > 10);
            proxy.plan(_ -> Fault.NONE);

            assertThat(stage.awaitNode("gone-0")).isEqualTo("away-worker");

            // Every third binding is done and not answered: nobody is bound twice, nobody is forgotten.
            var bindings = new AtomicInteger();
            proxy.plan(request -> request.path().endsWith("/binding") && bindings.incrementAndGet() % 3 == 1
                    ? new Fault.Lose(500)
                    : Fault.NONE);
            stage.replica("lost-0", "pinner-away", "0=away:3");
            assertThat(stage.awaitNode("lost-0")).isEqualTo("away-worker");
            server.await(
                    "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                    _ -> stage.reasons("lost-0").contains("Scheduled"));
            assertThat(stage.holders("away-worker"))
                    .isEqualTo(Map.of(
                            "0", List.of("before-0"),
                            "1", List.of("cut-0"),
                            "2", List.of("gone-0"),
                            "3", List.of("lost-0")));
        }
    }

    @Story
    @Timeout(300)
    void anotherReplicaGoesOnWhereTheLeaderDied(Dialogue server) {
        var stage = PinnerStage.on(server);
        var map = new StringBuilder();
        var expected = new TreeMap<String, String>();
        for (int node = 0; node < 10; node++) {
            stage.node("heir-worker-" + node, "heir" + node);
        }
        for (int replica = 0; replica < 40; replica++) {
            map.append("%d=heir%d:%d\n".formatted(replica, replica % 10, replica / 10));
            expected.put("heir-" + replica, "heir-worker-" + replica % 10);
        }
        try (var first = stage.scheduler("pinner-heir", server.cluster().kubeconfig());
                var _ = stage.standby("pinner-heir", server.cluster().kubeconfig())) {
            for (int replica = 0; replica < 40; replica++) {
                stage.replica("heir-" + replica, "pinner-heir", map.toString());
                if (replica == 20) {
                    first.kill();
                }
            }
            stage.awaitPlaced(40);

            assertThat(stage.places()).isEqualTo(expected);
            for (int node = 0; node < 10; node++) {
                assertThat(stage.holders("heir-worker-" + node))
                        .isEqualTo(Map.of(
                                "0", List.of("heir-" + node),
                                "1", List.of("heir-" + (node + 10)),
                                "2", List.of("heir-" + (node + 20)),
                                "3", List.of("heir-" + (node + 30))));
            }
        }
    }
}
