package dev.berth.e2e.pinner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;

/** StatefulSets whose map says where each replica goes. */
@OnBothServers(controllers = true)
class PinnerIT {
    @Story
    @Timeout(240)
    void theSampleOfTheDocument(Dialogue server) {
        var stage = PinnerStage.on(server);
        for (int i = 1; i <= 4; i++) {
            stage.node("sample-worker" + i, "sample" + i);
        }
        try (var _ = stage.scheduler("pinner-sample", server.cluster().kubeconfig())) {
            stage.statefulSet(
                    "check",
                    "pinner-sample",
                    6,
                    "0=sample1:0,1\n1=sample2:2\n2=sample3:0,1,2\n3=sample4:3\n4=sample4:3");
            stage.awaitPlaced(5);

            assertThat(stage.places())
                    .isEqualTo(Map.of(
                            "check-0", "sample-worker1",
                            "check-1", "sample-worker2",
                            "check-2", "sample-worker3",
                            "check-3", "sample-worker4",
                            "check-4", "sample-worker4"));
            assertThat(stage.holders("sample-worker1"))
                    .isEqualTo(Map.of("0", List.of("check-0"), "1", List.of("check-0")));
            assertThat(stage.holders("sample-worker4")).isEqualTo(Map.of("3", List.of("check-3", "check-4")));
            assertThat(stage.awaitRefusal("check-5", "replica 5"))
                    .isEqualTo("Unschedulable: gpu-scheduling-map has no line for replica 5, only for 0-4");
        }
    }

    @Story
    @Timeout(300)
    void twoHundredReplicasOverFiftyNodes(Dialogue server) {
        var stage = PinnerStage.on(server);
        var map = new StringBuilder();
        var expected = new TreeMap<String, String>();
        for (int node = 0; node < 50; node++) {
            stage.node("many-worker-" + node, "many" + node);
        }
        for (int replica = 0; replica < 200; replica++) {
            int node = replica % 50;
            map.append("%d=many%d:%d\n".formatted(replica, node, replica / 50));
            expected.put("many-" + replica, "many-worker-" + node);
        }
        try (var _ = stage.scheduler("pinner-many", server.cluster().kubeconfig())) {
            stage.statefulSet("many", "pinner-many", 200, map.toString());
            stage.awaitPlaced(200);

            assertThat(stage.places()).isEqualTo(expected);
            for (int node = 0; node < 50; node++) {
                assertThat(stage.holders("many-worker-" + node))
                        .isEqualTo(Map.of(
                                "0", List.of("many-" + node),
                                "1", List.of("many-" + (node + 50)),
                                "2", List.of("many-" + (node + 100)),
                                "3", List.of("many-" + (node + 150))));
            }
            assertThat(stage.reasons("many-17")).as("in one pass").doesNotContain("FailedScheduling");
        }
    }
}
