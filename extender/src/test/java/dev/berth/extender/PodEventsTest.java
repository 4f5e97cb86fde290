package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read with kubectl describe. */
class PodEventsTest {
    private static final String MODEL = "gaia.tencent.com/gpu-model";

    @Test
    void aPlacedPodSaysWhichDevicesAndByWhichPolicy() {
        try (var stage = new Stage(true)) {
            stage.node("a", 400, 16);
            stage.node("b", 400, 16);
            var pod = stage.pod("p", "50/1", "", "200");

            stage.filter(pod, "a", "b");

            Stage.await(
                    "the event",
                    () -> told(stage, pod)
                            .equals(
                                    List.of(
                                            "Normal Placed node a: GPU 0 for container c0, GPU 1,2 for container c2; the best of 2 by the policy pack")));
        }
    }

    @Test
    void aRefusedPodSaysOfEveryNodeWhyNotAndEqualRefusalsAreOneEvent() {
        try (var stage = new Stage(true)) {
            stage.node("full", 100, 4, MODEL, "M40");
            stage.node("none", 0, 0);
            stage.node("other", 100, 4, MODEL, "P100");
            stage.quota("{\"default\": {\"quota\": {\"M40\": 9}}}");
            var pod = stage.pod("p", "200");
            Stage.await("the quota", () -> stage.get("/quota").contains("limitCores"));

            for (int attempt = 0; attempt < 3; attempt++) {
                stage.filter(pod, "full", "none", "other");
            }

            Stage.await("the event", () -> !told(stage, pod).isEmpty());
            assertThat(told(stage, pod))
                    .containsExactly(
                            "Warning FailedScheduling none of 3 nodes: other: ExceedsGPUQuota: P100 0/0; none: no GPU device; full: no room (c0 wants 2 whole GPUs)");
        }
    }

    @Test
    void whatIsLeftInPiecesThatNobodyWantsIsMeasured() {
        try (var stage = new Stage(true)) {
            stage.node("n", 200, 8, MODEL, "M40");
            // All that is usually asked for are whole GPUs, but for one that leaves a piece of 40.
            for (int number = 0; number < 3; number++) {
                stage.pod("whole-" + number, "100");
            }
            stage.place(stage.pod("part", "60/1"), "n");

            // Free are 40 and 100 cores; for three of four kinds the 40 are of no use, for the fourth too: 60 do not
            // fit.
            Stage.await(
                    "the ratio",
                    () -> stage.get("/metrics")
                            .contains("berth_gpu_fragmented_ratio{model=\"M40\"} 0.2857142857142857"));
        }
    }

    private static List<String> told(Stage stage, Pod pod) {
        return stage.cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event ->
                        pod.getMetadata().getUid().equals(event.getRegarding().getUid()))
                .map(event -> event.getType() + " " + event.getReason() + " " + event.getNote())
                .toList();
    }
}
