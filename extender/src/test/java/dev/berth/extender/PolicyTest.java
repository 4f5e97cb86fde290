package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Another order than the document's, where an operator asks for it. */
class PolicyTest {
    @Test
    void spreadTakesTheEmptiestNodeAndDevice() {
        try (var stage = new Stage(true, ExtenderSettings.DEFAULT.withPolicy("spread"))) {
            stage.node("a", 200, 8);
            stage.node("b", 200, 8);
            assertThat(stage.place(stage.pod("p1", "30/1"), "a", "b")).isEqualTo("0");

            var second = stage.pod("p2", "30/1");
            assertThat(Stage.chosen(stage.filter(second, "a", "b"))).isEqualTo("b");
            stage.bind(second, "b");
            assertThat(stage.place(stage.pod("p3", "30/1"), "a")).isEqualTo("1");
        }
    }

    @Test
    void leastFragmentationLearnsFromThePodsItSees() {
        try (var stage = new Stage(true, ExtenderSettings.DEFAULT.withPolicy("fgd"))) {
            stage.node("n", 200, 8);
            stage.place(stage.pod("p1", "40/1"), "n");
            var other = stage.pod("p2", "20/1");
            // By its own word on the other device, as an agent on the node may have it.
            stage.cluster.client().resource(other).edit(pod -> {
                pod.getMetadata()
                        .setAnnotations(Map.of(
                                Stage.INDEX + "0",
                                "1",
                                "tencent.com/predicate-node",
                                "n",
                                "tencent.com/gpu-assigned",
                                "true"));
                return pod;
            });
            stage.bind(other, "n");
            Stage.await("both to be known", () -> stage.held("n") == 2);
            for (int half = 0; half < 20; half++) {
                stage.pod("half-" + half, "50/1");
            }
            // 30 cores on the busier device would leave 30 that no half can use; on the other one they leave 50.
            Stage.await("the halves to count", () -> {
                var pod = stage.pod("p-" + System.nanoTime(), "30/1");
                stage.filter(pod, "n");
                var device = stage.index(pod, 0);
                stage.remove(pod);
                return device.equals("1");
            });
        }
    }

    @Test
    void withALedgerOfItsOwnOneExtenderPlacesAsWell() {
        try (var stage = new Stage(false)) {
            stage.node("n", 200, 8);
            assertThat(stage.place(stage.pod("p1", "30/1"), "n")).isEqualTo("0");
            assertThat(stage.place(stage.pod("p2", "70/1"), "n")).isEqualTo("0");
            assertThat(stage.place(stage.pod("p3", "100"), "n")).isEqualTo("1");
            assertThat(Stage.chosen(stage.filter(stage.pod("p4", "1/1"), "n"))).isEqualTo("none");
        }
    }
}
