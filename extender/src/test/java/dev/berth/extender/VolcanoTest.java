package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.extender.wire.VolcanoReply;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Ruling 8: Volcano asks node by node. */
class VolcanoTest {
    private static ObjectNode question(Pod pod, String node) {
        var request = Stage.JSON.createObjectNode();
        request.putObject("task").put("UID", "not of interest").set("Pod", Stage.JSON.valueToTree(pod));
        request.putObject("node")
                .put("Name", node)
                .putObject("Tasks")
                .putObject("other")
                .putNull("Pod");
        return request;
    }

    private static JsonNode ask(Stage stage, Pod pod, String node) {
        return stage.ask("/scheduler/vpredicates", question(pod, node));
    }

    @Test
    void onlyTheBestOfAllNodesIsAnsweredAsFit() {
        try (var stage = new Stage(true)) {
            stage.node("a", 400, 16);
            stage.node("b", 100, 4);
            stage.node("c", 200, 8);
            var pod = stage.pod("p", "30/1");

            assertThat(ask(stage, pod, "a"))
                    .hasToString("{\"status\":\"pod %s has already been matched to another node\",\"code\":2}"
                            .formatted(pod.getMetadata().getUid()));
            assertThat(ask(stage, pod, "b")).hasToString("{\"status\":\"\",\"code\":0}");
            assertThat(ask(stage, pod, "c").path("code").asInt()).isEqualTo(2);
            assertThat(stage.annotations(pod)).containsEntry("tencent.com/predicate-node", "b");
        }
    }

    @Test
    void questionsThatComeTogetherHearOneDecision() throws Exception {
        try (var stage = new Stage(true)) {
            var calls = new ArrayList<Callable<Integer>>();
            for (int node = 0; node < 8; node++) {
                stage.node("n" + node, 100, 4);
            }
            var pod = stage.pod("p", "30/1");
            for (int node = 0; node < 8; node++) {
                var name = "n" + node;
                calls.add(() -> ask(stage, pod, name).path("code").asInt());
            }
            int fit = 0;
            try (var threads = Executors.newFixedThreadPool(8)) {
                for (var answer : threads.invokeAll(calls)) {
                    fit += answer.get() == 0 ? 1 : 0;
                }
            }
            assertThat(fit).isOne();
        }
    }

    @Test
    void aNodeThatVolcanoDoesNotAskAboutIsNotChosenAgain() {
        try (var stage = new Stage(true)) {
            stage.node("a", 100, 4);
            stage.node("b", 200, 8);
            stage.node("c", 200, 8);
            var pod = stage.pod("p", "30/1");
            assertThat(ask(stage, pod, "b").path("code").asInt()).isEqualTo(2);
            assertThat(ask(stage, pod, "c").path("code").asInt()).isEqualTo(2);

            assertThat(ask(stage, pod, "b").path("code").asInt()).isZero();
            assertThat(stage.annotations(pod)).containsEntry("tencent.com/predicate-node", "b");
        }
    }

    @Test
    void whatIsNotTakenIsDecidedAnew() {
        try (var stage = new Stage(true)) {
            stage.node("a", 100, 4);
            var pod = stage.pod("p", "30/1");
            assertThat(ask(stage, pod, "a").path("code").asInt()).isZero();
            var first = stage.annotations(pod).get("tencent.com/predicate-time");

            assertThat(ask(stage, pod, "a").path("code").asInt()).isZero();
            assertThat(stage.annotations(pod).get("tencent.com/predicate-time")).isNotEqualTo(first);
        }
    }

    @Test
    void whenNothingFitsTheNodeSaysWhy() {
        try (var stage = new Stage(true)) {
            stage.node("a", 100, 4);
            stage.node("none", 0, 0);
            var pod = stage.pod("p", "200");

            assertThat(ask(stage, pod, "a").path("status").asText()).endsWith("does not match with this node");
            assertThat(ask(stage, pod, "none").path("status").asText()).isEqualTo("no GPU device");
        }
    }

    @Test
    void eachVersionGetsTheShapeThatItDecodes() throws Exception {
        for (var version : VolcanoReply.values()) {
            var yes = Stage.JSON.readTree(version.fit());
            var no = Stage.JSON.readTree(version.unfit("why not"));
            switch (version) {
                case V1_7 -> {
                    assertThat(yes).hasToString("{\"errorMessage\":\"\"}");
                    assertThat(no).hasToString("{\"errorMessage\":\"why not\"}");
                }
                case V1_8 -> {
                    assertThat(yes).hasToString("{\"status\":[{\"Code\":0,\"Reason\":\"success\"}]}");
                    assertThat(no).hasToString("{\"status\":[{\"Code\":2,\"Reason\":\"why not\"}]}");
                }
                case V1_10 -> {
                    assertThat(yes).hasToString("{\"status\":\"\",\"code\":0}");
                    assertThat(no).hasToString("{\"status\":\"why not\",\"code\":2}");
                }
            }
        }
    }

    @Test
    void theShapeIsTheOneThatWasSet() {
        try (var stage = new Stage(true, ExtenderSettings.DEFAULT.withVolcano(VolcanoReply.V1_8))) {
            stage.node("a", 100, 4);
            assertThat(ask(stage, stage.pod("p", "30/1"), "a"))
                    .hasToString("{\"status\":[{\"Code\":0,\"Reason\":\"success\"}]}");
        }
    }
}
