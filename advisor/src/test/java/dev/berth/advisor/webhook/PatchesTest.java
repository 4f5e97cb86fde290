package dev.berth.advisor.webhook;

import static dev.berth.advisor.webhook.Stage.at;
import static dev.berth.advisor.webhook.Stage.json;
import static dev.berth.advisor.webhook.Stage.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written into a pod: table 4 of the contract, with the rulings applied. */
class PatchesTest {
    private static final String TERM = """
            {"weight": 100, "podAffinityTerm": {"labelSelector": {"matchExpressions": [{"key": "app.kubernetes.io/job-type",
             "operator": "In", "values": ["train-llama"]}]}, "topologyKey": "kubernetes.io/hostname"}}""";

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    private static List<String> paths(JsonNode operations) {
        var paths = new ArrayList<String>();
        operations.forEach(each ->
                paths.add(each.path("op").asText() + " " + each.path("path").asText()));
        return paths;
    }

    @Test
    void aPlainPodGetsEverythingInThePublishedOrder() {
        assertThat(stage.created(pod(""))).isEqualTo(json("""
                [{"op": "add", "path": "/spec/priorityClassName", "value": "gpu-high"},
                 {"op": "add", "path": "/spec/nodeSelector", "value": {"gpu.nvidia.com/class": "A100-80GB"}},
                 {"op": "add", "path": "/spec/tolerations", "value": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
                 {"op": "add", "path": "/spec/affinity", "value": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [%s]}}},
                 {"op": "add", "path": "/metadata/annotations/scheduler.radix.ai~1priority-score", "value": "85"},
                 {"op": "add", "path": "/metadata/annotations/scheduler.radix.ai~1chosen-gpu", "value": "A100-80GB"},
                 {"op": "add", "path": "/metadata/annotations/scheduler.radix.ai~1decision-timestamp", "value": "1699123456"},
                 {"op": "add", "path": "/metadata/labels", "value": {}},
                 {"op": "add", "path": "/metadata/labels/app.kubernetes.io~1job-type", "value": "train-bert"}]""".formatted(TERM)));
    }

    @Test
    void whatTheApiServerFilledInForNoClassIsRemovedBesideAClass() {
        var patch = stage.created(pod("\"priority\": 0, \"preemptionPolicy\": \"PreemptLowerPriority\""));

        assertThat(paths(patch))
                .startsWith("add /spec/priorityClassName", "remove /spec/priority", "remove /spec/preemptionPolicy");
    }

    @Test
    void theUsersOwnPriorityClassStaysWithItsPriority() {
        var patch = stage.created(pod("\"priorityClassName\": \"mine\", \"priority\": 7"));

        assertThat(paths(patch)).noneMatch(path -> path.contains("/spec/priority"));
    }

    @Test
    void theClassThatTheApiServerGivesToAllIsNotTheUsersOwn() {
        stage.town.defaultClass = "everyone";

        var patch = stage.created(pod("\"priorityClassName\": \"everyone\", \"priority\": 7"));

        assertThat(at(patch, "/spec/priorityClassName").asText()).isEqualTo("gpu-high");
        assertThat(paths(patch)).contains("remove /spec/priority");
    }

    @Test
    void aPriorityClassThatDoesNotExistIsNotSet() {
        stage.town.classes.remove("gpu-high");

        var patch = stage.created(pod("\"priority\": 0"));

        assertThat(paths(patch))
                .noneMatch(path -> path.contains("priorityClassName") || path.contains("/spec/priority"));
        assertThat(at(patch, "/spec/nodeSelector").isObject()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, gpu-default",
        "0, gpu-default",
        "49.9, gpu-default",
        "50, gpu-medium",
        "75, gpu-high",
        "89.99, gpu-high",
        "90, gpu-ultra",
        "100.0, gpu-ultra"
    })
    void theScoreDecidesTheClassAndIsWrittenAsItCame(String score, String name) {
        stage.agent.replies(200, "{\"priority_score\": %s}".formatted(score));

        var patch = stage.created(pod(""));

        assertThat(at(patch, "/spec/priorityClassName").asText()).isEqualTo(name);
        assertThat(at(patch, "/metadata/annotations/scheduler.radix.ai~1priority-score")
                        .asText())
                .isEqualTo(score);
    }

    @Test
    void aReplyThatSaysNothingOfNodesLeavesThemAlone() {
        stage.agent.replies(200, "{\"priority_score\": 75}");

        assertThat(paths(stage.created(pod(""))))
                .noneMatch(path -> path.matches(".*(nodeSelector|tolerations|affinity).*"));
    }

    @Test
    void aReplyWithoutAScoreCountsAsFifty() {
        stage.agent.replies(200, "{\"candidates\": [], \"exploration_ratio\": 0.2}");

        var patch = stage.created(pod(""));

        assertThat(at(patch, "/spec/priorityClassName").asText()).isEqualTo("gpu-medium");
        assertThat(at(patch, "/metadata/annotations/scheduler.radix.ai~1priority-score")
                        .asText())
                .isEqualTo("50");
        assertThat(at(patch, "/metadata/annotations/scheduler.radix.ai~1chosen-gpu")
                        .asText())
                .isEqualTo("unknown");
    }

    @Test
    void theDocumentsMockAgentSendsNoTolerationAndThePodGetsItAllTheSame() {
        stage.agent.replies(200, """
                {"priority_score": 75, "gpu_selector": {"nodeSelector": {"gpu.nvidia.com/class": "A100-80GB"}},
                 "avoid_co_locate_with": [], "terms": {"chosen_gpu": "A100-80GB"}}""");

        assertThat(at(stage.created(pod("")), "/spec/tolerations")
                        .get(0)
                        .path("key")
                        .asText())
                .isEqualTo("nvidia.com/gpu");
    }

    @Test
    void thePublishedAgentNamesItsChoiceInTheSelectorOnly() {
        stage.agent.replies(200, """
                {"priority_score": 50.0, "gpu_selector": {"nodeSelector": {"gpu.nvidia.com/class": "L4-24GB"}, "tolerations": []},
                 "avoid_co_locate_with": [], "terms": {"mu": 10.0}}""");

        assertThat(at(stage.created(pod("")), "/metadata/annotations/scheduler.radix.ai~1chosen-gpu")
                        .asText())
                .isEqualTo("L4-24GB");
    }

    @Test
    void aSelectorOfTheUsersIsAddedTo() {
        var patch = stage.created(pod("\"nodeSelector\": {\"zone\": \"a\"}"));

        assertThat(at(patch, "/spec/nodeSelector/gpu.nvidia.com~1class").asText())
                .isEqualTo("A100-80GB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null"})
    void anEmptySelectorIsFilled(String empty) {
        var patch =
                stage.created(pod("\"nodeSelector\": " + empty + ", \"tolerations\": null, \"affinity\": " + empty));

        assertThat(at(patch, "/spec/nodeSelector").path("gpu.nvidia.com/class").asText())
                .isEqualTo("A100-80GB");
        assertThat(at(patch, "/spec/tolerations").size()).isEqualTo(1);
        assertThat(at(patch, "/spec/affinity").path("podAntiAffinity").isObject())
                .isTrue();
    }

    @Test
    void theUsersOwnGpuStaysAndIsTheOnlyCandidate() {
        var patch = stage.created(pod("\"nodeSelector\": {\"gpu.nvidia.com/class\": \"L4-24GB\"}"));

        assertThat(paths(patch)).noneMatch(path -> path.contains("nodeSelector"));
        assertThat(at(patch, "/metadata/annotations/scheduler.radix.ai~1chosen-gpu")
                        .asText())
                .isEqualTo("L4-24GB");
        assertThat(json(stage.agent.asked().getFirst()).path("candidate_gpu_types"))
                .isEqualTo(json("[\"L4-24GB\"]"));
    }

    @Test
    void tolerationsOfTheUsersStayAndNoneIsThereTwice() {
        var other = stage.created(pod("\"tolerations\": [{\"key\": \"mine\", \"operator\": \"Exists\"}]"));
        var same = stage.created(
                pod(
                        "\"tolerations\": [{\"key\": \"nvidia.com/gpu\", \"operator\": \"Exists\", \"effect\": \"NoSchedule\"}]"));
        var wider = stage.created(pod("\"tolerations\": [{\"operator\": \"Exists\"}]"));

        assertThat(at(other, "/spec/tolerations/-").path("key").asText()).isEqualTo("nvidia.com/gpu");
        assertThat(paths(same)).noneMatch(path -> path.contains("tolerations"));
        assertThat(paths(wider)).noneMatch(path -> path.contains("tolerations"));
    }

    @Test
    void antiAffinityOfTheUsersStaysAndNoTermIsThereTwice() {
        var node = stage.created(pod("\"affinity\": {\"nodeAffinity\": {}}"));
        var required = stage.created(
                pod(
                        "\"affinity\": {\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": [{\"topologyKey\": \"zone\"}]}}"));
        var same = stage.created(
                pod("\"affinity\": {\"podAntiAffinity\": {\"preferredDuringSchedulingIgnoredDuringExecution\": [%s]}}"
                        .formatted(TERM)));
        var other = stage.created(
                pod("\"affinity\": {\"podAntiAffinity\": {\"preferredDuringSchedulingIgnoredDuringExecution\": [%s]}}"
                        .formatted(TERM.replace("train-llama", "other"))));

        assertThat(at(node, "/spec/affinity/podAntiAffinity").isObject()).isTrue();
        assertThat(at(required, "/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution")
                        .size())
                .isEqualTo(1);
        assertThat(paths(same)).noneMatch(path -> path.contains("affinity"));
        assertThat(at(other, "/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/-"))
                .isEqualTo(json(TERM));
    }

    @Test
    void jobsToAvoidAreNamedOnceAndOnlyIfALabelCanHoldThem() {
        stage.agent.replies(
                200, "{\"priority_score\": 1, \"avoid_co_locate_with\": [\"a\", \"not a label\", \"a\", \"b\"]}");

        var terms = at(stage.created(pod("")), "/spec/affinity")
                .path("podAntiAffinity")
                .path("preferredDuringSchedulingIgnoredDuringExecution");

        assertThat(terms.findValuesAsText("values")).hasSize(2);
        assertThat(terms.size()).isEqualTo(2);
    }

    @Test
    void aJobTypeThatNoLabelCanHoldIsNoLabel() {
        var patch = stage.created(pod("\"annotations\": {\"app.kubernetes.io/job-type\": \"train bert\"}", ""));

        assertThat(paths(patch)).noneMatch(path -> path.contains("labels"));
        assertThat(at(patch, "/spec/priorityClassName").asText()).isEqualTo("gpu-high");
    }

    @Test
    void aRequestWithoutALimitGetsTheLimit() {
        var patch = stage.created("""
                {"kind": "Pod", "metadata": {"name": "p", "annotations": {"app.kubernetes.io/job-type": "x"}}, "spec": {"containers": [
                 {"name": "a", "resources": {"requests": {"nvidia.com/gpu": "1", "cpu": "1"}}},
                 {"name": "b", "resources": {"requests": {"amd.com/gpu": 2}, "limits": {"cpu": "1"}}}]}}""");

        assertThat(at(patch, "/spec/containers/0/resources/limits")).isEqualTo(json("{\"nvidia.com/gpu\": \"1\"}"));
        assertThat(at(patch, "/spec/containers/1/resources/limits/amd.com~1gpu").asInt())
                .isEqualTo(2);
    }

    @Test
    void aTypeThatNodesCarryAsTheirProductIsSelectedAsThat() {
        stage.town.node("n1", Map.of("nvidia.com/gpu.product", "A100-80GB"));

        assertThat(at(stage.created(pod("")), "/spec/nodeSelector"))
                .isEqualTo(json("{\"nvidia.com/gpu.product\": \"A100-80GB\"}"));
    }

    @Test
    void aTypeThatNoNodeHasIsNotSelected() {
        stage.town.node("n1", Map.of("gpu.nvidia.com/class", "H100-80GB"));

        assertThat(paths(stage.created(pod("")))).noneMatch(path -> path.contains("nodeSelector"));
    }

    @Test
    void overrideReplacesTheUsersClassAndGpu() {
        try (var overriding = new Stage(
                new WebhookSettings(WebhookSettings.STANDARD.timeout(), true, PriorityBuckets.STANDARD, true))) {
            var patch = overriding.created(
                    pod("\"priorityClassName\": \"mine\", \"nodeSelector\": {\"gpu.nvidia.com/class\": \"L4-24GB\"}"));

            assertThat(at(patch, "/spec/priorityClassName").asText()).isEqualTo("gpu-high");
            assertThat(at(patch, "/spec/nodeSelector/gpu.nvidia.com~1class").asText())
                    .isEqualTo("A100-80GB");
        }
    }

    @Test
    void theTemplateOfAJobIsPatchedSoThatItsPodsCarryEverything() {
        var patch = Stage.patch(stage.review("Job", "CREATE", ", \"name\": \"j\"", """
                {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "annotations": {"app.kubernetes.io/job-type": "train-bert",
                 "gpu.mem.gi": "40"}}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "trainer",
                 "image": "busybox", "resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}}}"""));

        assertThat(at(patch, "/spec/template/spec/priorityClassName").asText()).isEqualTo("gpu-high");
        assertThat(at(patch, "/spec/template/spec/nodeSelector").isObject()).isTrue();
        assertThat(at(patch, "/spec/template/spec/tolerations").isArray()).isTrue();
        assertThat(at(patch, "/spec/template/spec/affinity").isObject()).isTrue();
        assertThat(at(patch, "/spec/template/metadata/annotations/scheduler.radix.ai~1chosen-gpu")
                        .asText())
                .isEqualTo("A100-80GB");
        assertThat(at(patch, "/spec/template/metadata/annotations/app.kubernetes.io~1job-type")
                        .asText())
                .isEqualTo("train-bert");
        assertThat(at(patch, "/spec/template/metadata/labels/app.kubernetes.io~1job-type")
                        .asText())
                .isEqualTo("train-bert");
        assertThat(at(patch, "/spec/template/spec/containers/0/resources/limits"))
                .isEqualTo(json("{\"nvidia.com/gpu\": \"1\"}"));
        assertThat(paths(patch)).allMatch(path -> path.startsWith("add /spec/template/"));
        assertThat(json(stage.agent.asked().getFirst())
                        .path("features")
                        .path("gpu_mem_gb")
                        .asDouble())
                .isEqualTo(40);
    }

    @Test
    void theDefaultClassInATemplateIsTheUsersOwn() {
        stage.town.defaultClass = "everyone";

        var patch = Stage.patch(
                stage.review("Job", "CREATE", "", """
                {"kind": "Job", "metadata": {"name": "j"}, "spec": {"template": %s}}""".formatted(pod("\"priorityClassName\": \"everyone\""))));

        assertThat(paths(patch)).noneMatch(path -> path.contains("priorityClassName"));
        assertThat(at(patch, "/spec/template/spec/nodeSelector").isObject()).isTrue();
    }

    @Test
    void overrideLeavesNoSecondTypeOfGpuBehindAndMindsTheOtherLabels() {
        try (var overriding = new Stage(
                new WebhookSettings(WebhookSettings.STANDARD.timeout(), true, PriorityBuckets.STANDARD, true))) {
            overriding.town.node("n1", Map.of("gpu.nvidia.com/class", "A100-80GB", "zone", "a"));
            overriding.town.node("n2", Map.of("nvidia.com/gpu.product", "T4", "zone", "a"));
            overriding.town.node("n3", Map.of("gpu.nvidia.com/class", "H100-80GB", "zone", "b"));

            var patch =
                    overriding.created(pod("\"nodeSelector\": {\"nvidia.com/gpu.product\": \"T4\", \"zone\": \"a\"}"));

            assertThat(paths(patch))
                    .contains(
                            "remove /spec/nodeSelector/nvidia.com~1gpu.product",
                            "add /spec/nodeSelector/gpu.nvidia.com~1class");
            assertThat(json(overriding.agent.asked().getFirst()).path("candidate_gpu_types"))
                    .isEqualTo(json("[\"A100-80GB\", \"T4\"]"));
        }
    }

    @Test
    void adviceThatIsTooLargeForAPodIsNone() {
        var many = IntStream.range(0, 2000).mapToObj("\"j%d\""::formatted).collect(Collectors.joining(","));
        for (var advice : List.of(
                "\"avoid_co_locate_with\": [%s]".formatted(many),
                "\"terms\": {\"chosen_gpu\": \"%s\"}".formatted("g".repeat(300_000)))) {
            stage.agent.replies(200, "{\"priority_score\": 85, %s}".formatted(advice));

            assertThat(stage.created(pod(""))).isEmpty();
        }
    }

    @Test
    void memoryIsANumberAndNothingElse() {
        var response = stage.review(
                "Pod",
                "CREATE",
                "",
                pod("\"annotations\": {\"app.kubernetes.io/job-type\": \"x\", \"gpu.mem.gi\": \"40d\"}", ""));

        assertThat(response.path("warnings").path(0).asText())
                .isEqualTo("annotation gpu.mem.gi is '40d', not a number of GiB: it is not used");
    }
}
