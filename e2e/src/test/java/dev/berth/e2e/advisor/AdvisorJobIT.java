package dev.berth.e2e.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The document's integration test as it is written, with the agent as a process and what it learned before. */
@OnBothServers(controllers = true)
class AdvisorJobIT {
    private static final String NAMESPACE = "test-webhook";
    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: test-mutation
              namespace: test-webhook
              annotations:
                app.kubernetes.io/job-type: "train-bert"
                gpu.mem.gi: "40"
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: trainer
                    image: busybox
                    command: ["sleep", "300"]
                    resources:
                      requests:
                        nvidia.com/gpu: "1"
            """;

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(300)
    void theDocumentsIntegrationTestShowsEverythingOnThePod(Dialogue server) throws Exception {
        var stage = new AdvisorStage(server, directory);
        stage.node("documented-node", "A100-80GB");
        int port = Ports.free();
        try (var _ = stage.agent(directory.resolve("agent.db"), port);
                var _ = stage.webhook("http://127.0.0.1:" + port, NAMESPACE)) {
            disturb(stage, port);
            var kubectl = server.kubectl();
            server.cleanUp("/api/v1/namespaces/" + NAMESPACE);
            kubectl.run("create namespace test-webhook");
            kubectl.run("label namespace test-webhook scheduler.radix.ai/enabled=true");
            awaitAdvice(server);

            kubectl.run("apply -f -", JOB);

            var selector = "/api/v1/namespaces/test-webhook/pods?labelSelector=job-name%3Dtest-mutation";
            server.await(selector, list -> list.path("items").size() == 1);
            var shown = kubectl.runShowing(
                    "get pod -n test-webhook -l job-name=test-mutation -o yaml",
                    "",
                    "priorityClassName|gpu.nvidia.com/class|key: nvidia.com/gpu|train-llama|chosen-gpu|priority-score|podAntiAffinity|app.kubernetes.io/job-type");
            assertThat(shown)
                    .contains(
                            "priorityClassName: gpu-medium",
                            "gpu.nvidia.com/class: A100-80GB",
                            "key: nvidia.com/gpu",
                            "podAntiAffinity:",
                            "- train-llama",
                            "scheduler.radix.ai/chosen-gpu: A100-80GB",
                            "scheduler.radix.ai/priority-score: \"50.0\"",
                            "scheduler.radix.ai/decision-timestamp:",
                            "app.kubernetes.io/job-type: train-bert");
            var labelled =
                    server.quietly(server.request("PATCH", "/apis/batch/v1/namespaces/test-webhook/jobs/test-mutation")
                            .json("metadata: {labels: {changed: \"yes\"}}")
                            .type("application/merge-patch+json"));
            assertThat(labelled.code()).as(labelled.text()).isEqualTo(200);
            server.quietly(
                    "DELETE",
                    "/apis/batch/v1/namespaces/test-webhook/jobs/test-mutation?propagationPolicy=Background",
                    "");
            // The job controller takes its finalizer off the pod, which is an update of an advised pod.
            server.await(selector, list -> list.path("items").isEmpty());
        }
    }

    /** The agent learns that train-bert suffers beside train-llama, and train-llama runs. */
    private static void disturb(AdvisorStage stage, int port) throws IOException, InterruptedException {
        for (var body : new String[] {
            "{\"job_type\": \"train-bert\", \"gpu_type\": \"A100-80GB\", \"measured_runtime_s\": 10}",
            "{\"job_type\": \"train-bert\", \"gpu_type\": \"A100-80GB\", \"measured_runtime_s\": 40, \"colocated_job_types\": [\"train-llama\"]}",
            "{\"job_type\": \"train-bert\", \"gpu_type\": \"A100-80GB\", \"measured_runtime_s\": 40, \"colocated_job_types\": [\"train-llama\"]}"
        }) {
            try (var client = HttpClient.newHttpClient()) {
                var answer = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/observe".formatted(port)))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
        }
        stage.create("neighbour", "nodeName: documented-node", "train-llama");
        stage.status("neighbour", "{\"status\": {\"phase\": \"Running\"}}");
    }

    /** The API server follows a new configuration after a moment. */
    private static void awaitAdvice(Dialogue server) {
        var pods = "/api/v1/namespaces/test-webhook/pods";
        Await.until(
                Duration.ofSeconds(60),
                () -> {
                    var probe = server.quietly("POST", pods, AdvisorStage.pod("probe", ""))
                            .body();
                    server.quietly("DELETE", pods + "/probe?gracePeriodSeconds=0", "");
                    return probe.at("/spec/priorityClassName").asText().startsWith("gpu-")
                            && probe.at("/spec/affinity").isObject();
                },
                () -> "no pod gets advice");
    }
}
