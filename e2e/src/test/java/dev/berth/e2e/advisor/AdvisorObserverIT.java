package dev.berth.e2e.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.GuardedProcess;
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
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The loop closes by itself: what pods took is learned, once, whoever dies on the way. */
@OnBothServers
class AdvisorObserverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(240)
    void aRunIsLearnedFromOnceThoughTheAgentDies(Dialogue server) {
        var stage = new AdvisorStage(server, directory);
        stage.node("observed-node", "A100-80GB");
        int port = Ports.free();
        pod(server, "neighbour", "train-llama");
        stage.status("neighbour", status("Running", "running: {startedAt: \"2026-01-01T10:00:00Z\"}"));
        pod(server, "subject", "train-bert");
        pod(server, "failed", "train-bert");
        try (var agent = observing(stage, port)) {
            stage.status("failed", ended("Failed", "10:05:00"));
            stage.status("subject", ended("Succeeded", "10:01:30"));
            awaitMetric(port, "scheduler_observe_events_total{gpu_type=\"A100-80GB\",job_type=\"train-bert\"} 1.0");
            agent.kill();
        }
        try (var _ = observing(stage, port)) {
            pod(server, "later", "train-gpt");
            stage.status("later", ended("Succeeded", "10:00:20"));
            awaitMetric(port, "job_type=\"train-gpt\"} 1.0");
            // The listing brought the first one again, before the later one, and nothing came of it.
            assertThat(get(port, "/metrics")).doesNotContain("job_type=\"train-bert\"");
            server.note("mu of train-bert", mean(port));
        }
    }

    @Story
    @Timeout(240)
    void oneProcessAdvisesAPodAndLearnsFromItsRun(Dialogue server) {
        var stage = new AdvisorStage(server, directory);
        stage.node("all-in-one-node", "A100-80GB");
        int port = Ports.free();
        try (var _ = stage.all(directory.resolve("all.db"), port)) {
            stage.enable();

            var advised = stage.create("advised", "");
            assertThat(advised.at("/metadata/annotations/scheduler.radix.ai~1chosen-gpu")
                            .asText())
                    .isNotEmpty();
            var bound = server.quietly(
                    "POST",
                    AdvisorStage.PODS + "/advised/binding",
                    "metadata: {name: advised}\ntarget: {kind: Node, name: all-in-one-node}");
            assertThat(bound.code()).as(bound.text()).isEqualTo(201);
            stage.status("advised", ended("Succeeded", "10:01:30"));

            awaitMetric(port, "scheduler_observe_events_total{gpu_type=\"A100-80GB\",job_type=\"train-bert\"} 1.0");
            assertThat(get(port, "/v1/beliefs")).contains("train-bert", "A100-80GB");
        }
    }

    private GuardedProcess observing(AdvisorStage stage, int port) {
        return stage.start(
                Map.of(
                        "SCHEDULER_SQLITE_PATH",
                        directory.resolve("observed.db").toString(),
                        "SCHEDULER_EXPLORATION_CAP",
                        "1"),
                "advisor agent",
                "agent",
                "--observe",
                "--bind-address=127.0.0.1",
                "--port=" + port);
    }

    private static void pod(Dialogue server, String name, String type) {
        var answer = server.quietly("POST", AdvisorStage.PODS, """
                metadata: {name: %s, annotations: {app.kubernetes.io/job-type: %s, scheduler.radix.ai/chosen-gpu: L4-24GB}}
                spec:
                  nodeName: observed-node
                  containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]
                """.formatted(name, type));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    }

    private static String ended(String phase, String at) {
        return status(
                phase,
                "terminated: {exitCode: 0, startedAt: \"2026-01-01T10:00:00Z\", finishedAt: \"2026-01-01T%sZ\"}"
                        .formatted(at));
    }

    private static String status(String phase, String state) {
        return "status: {phase: %s, containerStatuses: [{name: main, image: none, imageID: \"\", ready: false, restartCount: 0, state: {%s}}]}"
                .formatted(phase, state);
    }

    private static void awaitMetric(int port, String line) {
        Await.until(PATIENCE, () -> get(port, "/metrics").contains(line), () -> get(port, "/metrics"));
    }

    private static String mean(int port) {
        return send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/score".formatted(port)))
                        .header("Content-Type", "application/json")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"job_type\": \"train-bert\", \"candidate_gpu_types\": [\"A100-80GB\"], \"colocated_job_types\": []}")));
    }

    private static String get(int port, String path) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path))));
    }

    private static String send(HttpRequest.Builder request) {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException notYet) {
            return "";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
