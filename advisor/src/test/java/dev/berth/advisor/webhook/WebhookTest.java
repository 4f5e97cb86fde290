package dev.berth.advisor.webhook;

import static dev.berth.advisor.webhook.Stage.json;
import static dev.berth.advisor.webhook.Stage.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is asked about, with which words, and that everybody is let through. */
class WebhookTest {
    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void theAgentIsAskedInThePublishedWords() {
        stage.town.running.add("train-llama");

        stage.created(pod(
                "\"annotations\": {\"app.kubernetes.io/job-type\": \"train-bert\", \"gpu.mem.gi\": \"40\", \"ml.batch_size\": \"16\", \"scheduler.radix.ai/tenant\": \"team-a\"}",
                ""));

        assertThat(stage.agent.asked())
                .containsExactly(
                        "{\"job_type\":\"train-bert\",\"features\":{\"job_type\":\"train-bert\",\"gpu_mem_gb\":40.0,\"batch_size\":16,\"tenant\":\"team-a\"},"
                                + "\"candidate_gpu_types\":[\"A100-80GB\",\"A100-40GB\",\"L4-24GB\",\"H100-80GB\"],\"colocated_job_types\":[\"train-llama\"]}");
    }

    @Test
    void whatIsNotSaidIsNotMadeUp() {
        stage.created(pod(""));

        assertThat(json(stage.agent.asked().getFirst()).path("features"))
                .isEqualTo(json("{\"job_type\": \"train-bert\", \"tenant\": \"default\"}"));
    }

    @Test
    void anAnnotationThatCannotBeUsedIsNamedInAWarning() {
        var response = stage.review(
                "Pod",
                "CREATE",
                "",
                pod(
                        "\"annotations\": {\"app.kubernetes.io/job-type\": \"x\", \"gpu.mem.gi\": \"40Gi\", \"ml.batch_size\": \"16.7\"}",
                        ""));

        assertThat(response.path("warnings").toString()).contains("gpu.mem.gi is '40Gi'", "ml.batch_size is '16.7'");
        assertThat(Stage.patch(response)).isNotEmpty();
    }

    @Test
    void candidatesAreTheTypesOfTheClustersNodes() {
        stage.town.node("n1", Map.of("gpu.nvidia.com/class", "B200", "zone", "a"));
        stage.town.node("n2", Map.of("gpu.nvidia.com/class", "A100-80GB", "zone", "b"));

        stage.created(pod(""));
        stage.created(pod("\"nodeSelector\": {\"zone\": \"a\"}"));
        stage.created(pod("""
                "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                 {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["b"]}]}]}}}"""));

        assertThat(stage.agent.asked())
                .extracting(body -> json(body).path("candidate_gpu_types").toString())
                .containsExactly("[\"A100-80GB\",\"B200\"]", "[\"B200\"]", "[\"A100-80GB\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": null}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"labels\": {\"app.kubernetes.io/job-type\": \"x\"}}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"unknown\"}}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"x\"}}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"cpu\": \"1\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"x\"}}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"0\"}}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"x\"}}, \"spec\": {\"containers\": [{\"resources\": {\"requests\": null}}]}}",
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"x\", \"scheduler.radix.ai/decision-timestamp\": \"1\"}}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}}",
                "null"
            })
    void podsThatAreNoneOfOurBusinessPassAsTheyAre(String pod) {
        assertThat(stage.review("Pod", "CREATE", "", pod).has("patch")).isFalse();
        assertThat(stage.agent.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"containers\": [{\"resources\": {\"requests\": {\"nvidia.com/gpu\": \"1\"}}}]}",
                "{\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/mig-1g.5gb\": \"1\"}}}]}",
                "{\"containers\": [{\"resources\": {\"limits\": {\"amd.com/gpu\": 1}}}]}",
                "{\"containers\": [{\"resources\": {\"limits\": {\"gpu.intel.com/i915\": \"1\"}}}]}",
                "{\"containers\": [{}], \"initContainers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\"}}}]}",
                "{\"containers\": [{}], \"resourceClaims\": [{\"name\": \"gpu\"}]}"
            })
    void anyWayToAskForAGpuCounts(String spec) {
        var patch = stage.created(
                "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"annotations\": {\"app.kubernetes.io/job-type\": \"\"}}, \"spec\": %s}"
                        .formatted(spec));

        assertThat(patch).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "DELETE"})
    void nothingButCreationIsTouched(String operation) {
        assertThat(stage.review("Pod", operation, "", pod("")).has("patch")).isFalse();
        assertThat(stage.agent.asked()).isEmpty();
    }

    @Test
    void aDryRunChangesNothingAnywhere() {
        assertThat(stage.review("Pod", "CREATE", ", \"dryRun\": true", pod("")).has("patch"))
                .isFalse();
        assertThat(stage.agent.asked()).isEmpty();
    }

    @Test
    void kindsWithoutATemplatePassAndThoseWithOneArePatchedThere() {
        assertThat(stage.review("ConfigMap", "CREATE", "", "{\"kind\": \"ConfigMap\", \"data\": {}}")
                        .has("patch"))
                .isFalse();

        var patch = Stage.patch(stage.review("Deployment", "CREATE", "", """
                {"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"template": %s}}""".formatted(pod(""))));

        assertThat(Stage.at(patch, "/spec/template/spec/priorityClassName").asText())
                .isEqualTo("gpu-high");
    }

    @Test
    void withMutationSwitchedOffEverythingPasses() {
        try (var off = new Stage(
                new WebhookSettings(WebhookSettings.STANDARD.timeout(), false, PriorityBuckets.STANDARD, false))) {
            assertThat(off.review("Pod", "CREATE", "", pod("")).has("patch")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "",
                "nonsense",
                "{\"priority_score\": \"85\"}",
                "{\"priority_score\": null}",
                "{\"priority_score\": 1, \"terms\": null}",
                "{\"priority_score\": 1, \"gpu_selector\": null}",
                "{\"priority_score\": 1, \"gpu_selector\": []}",
                "{\"priority_score\": 1, \"gpu_selector\": \"A100\"}",
                "{\"priority_score\": 1, \"gpu_selector\": {\"nodeSelector\": {\"gpu.nvidia.com/class\": \"two words\"}}}",
                "{\"priority_score\": 1, \"gpu_selector\": {\"nodeSelector\": {\"a/b/c\": \"x\"}}}",
                "{\"priority_score\": 1, \"gpu_selector\": {\"tolerations\": [{\"operator\": \"Perhaps\"}]}}",
                "{\"priority_score\": 1, \"avoid_co_locate_with\": \"everyone\"}"
            })
    void anAnswerThatIsNoAdviceLetsThePodThrough(String reply) {
        stage.agent.replies(200, reply);

        assertThat(stage.review("Pod", "CREATE", "", pod("")).has("patch")).isFalse();
        assertThat(stage.get("/metrics").body()).contains("berth_advisor_unadvised_total{reason=\"invalid\"} 1.0");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 400, 404, 500, 503})
    void anyOtherStatusLetsThePodThrough(int status) {
        stage.agent.replies(status, Stage.ADVICE);

        assertThat(stage.review("Pod", "CREATE", "", pod("")).has("patch")).isFalse();
    }

    @Test
    void anAgentThatIsGoneLetsThePodThrough() {
        stage.agent.close();

        assertThat(stage.review("Pod", "CREATE", "", pod("")).has("patch")).isFalse();
        assertThat(stage.get("/metrics").body()).contains("berth_advisor_unadvised_total{reason=\"unreachable\"} 1.0");
    }

    @Test
    void anAgentThatIsSlowLetsThePodThrough() {
        try (var hasty = new Stage(Stage.timeout(Duration.ofMillis(50)))) {
            hasty.agent.fallSilent();

            assertThat(hasty.review("Pod", "CREATE", "", pod("")).has("patch")).isFalse();
            assertThat(hasty.get("/metrics").body()).contains("berth_advisor_unadvised_total{reason=\"timeout\"} 1.0");
        }
    }

    @Test
    void withoutAdviceTheLimitIsStillMendedBecauseThePodWouldBeRefused() {
        stage.agent.replies(500, "");

        var patch = stage.created(pod("").replace("\"limits\": {\"nvidia.com/gpu\": \"1\"}, ", ""));

        assertThat(patch).hasSize(1);
        assertThat(Stage.at(patch, "/spec/containers/0/resources/limits").isObject())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"kind\": \"AdmissionReview\"}",
                "{\"kind\": \"Other\", \"request\": {\"uid\": \"u-1\"}}"
            })
    void aMalformedReviewIsLetThrough(String body) {
        var answer = stage.post(body);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer.body()).path("response").path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void healthIsWordedAsPublished() {
        assertThat(stage.get("/healthz").body()).isEqualTo("{\"status\":\"healthy\"}");
        assertThat(stage.get("/readyz").body()).isEqualTo("{\"status\":\"ready\",\"scheduler\":\"connected\"}");

        stage.agent.close();

        assertThat(stage.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(stage.get("/readyz").body()).contains("\"scheduler\":\"disconnected\"");
    }

    @Test
    void notReadyUntilTheClusterIsKnown() {
        stage.town.problem = Optional.of("the nodes are not known yet");

        assertThat(stage.get("/readyz").statusCode()).isEqualTo(503);
        assertThat(stage.get("/readyz").body()).contains("the nodes are not known yet");
    }
}
