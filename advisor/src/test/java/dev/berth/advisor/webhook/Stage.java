package dev.berth.advisor.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.ask.HttpScorer;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The webhook over HTTP, an agent that does as it is told, and a town around them. */
final class Stage implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String ADVICE = """
            {"priority_score": 85, "gpu_selector": {"nodeSelector": {"gpu.nvidia.com/class": "A100-80GB"},
             "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
             "avoid_co_locate_with": ["train-llama"], "terms": {"chosen_gpu": "A100-80GB"}}""";

    final AgentStub agent = new AgentStub().replies(200, ADVICE);
    final Town town = new Town();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server;
    private final HttpScorer scorer;

    Stage() {
        this(WebhookSettings.STANDARD);
    }

    Stage(WebhookSettings settings) {
        scorer = new HttpScorer(agent.address());
        var webhook = new AdvisorWebhook(
                settings, scorer, town, Optional.empty(), new Metrics(), () -> Instant.ofEpochSecond(1_699_123_456));
        server = HttpServer.start(
                List.of(new Listener("webhook", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, webhook::addTo)));
    }

    static WebhookSettings timeout(Duration timeout) {
        return new WebhookSettings(timeout, true, PriorityBuckets.STANDARD, false);
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(address(path)).GET().build());
    }

    HttpResponse<String> post(String body) {
        return send(HttpRequest.newBuilder(address("/mutate?timeout=10s"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + server.port("webhook") + path);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The response part of the review. */
    JsonNode review(String kind, String operation, String more, String object) {
        var answer = post("""
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-1",
                 "kind": {"group": "", "version": "v1", "kind": "%s"}, "operation": "%s", "namespace": "team-a"%s,
                 "object": %s}}""".formatted(kind, operation, more, object));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var response = json(answer.body()).path("response");
        assertThat(response.path("uid").asText()).isEqualTo("u-1");
        assertThat(response.path("allowed").asBoolean()).isTrue();
        return response;
    }

    /** The operations on a pod that is created. */
    JsonNode created(String pod) {
        return patch(review("Pod", "CREATE", "", pod));
    }

    static JsonNode patch(JsonNode response) {
        return response.has("patch")
                ? json(new String(
                        Base64.getDecoder().decode(response.path("patch").asText()), StandardCharsets.UTF_8))
                : JSON.createArrayNode();
    }

    /** What the operation at this path sets; missing if there is none. */
    static JsonNode at(JsonNode operations, String path) {
        for (var operation : operations) {
            if (operation.path("path").asText().equals(path)) {
                return operation.path("value");
            }
        }
        return JSON.missingNode();
    }

    /** A pod of train-bert with one GPU, and with these members more in its spec. */
    static String pod(String spec) {
        return pod("\"annotations\": {\"app.kubernetes.io/job-type\": \"train-bert\"}", spec);
    }

    static String pod(String metadata, String spec) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", %s}, "spec": {%s "containers": [{"name": "trainer",
                 "resources": {"limits": {"nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}}]}}""".formatted(metadata, spec.isEmpty() ? "" : spec + ",");
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode object(String text) {
        return (ObjectNode) json(text);
    }

    @Override
    public void close() {
        server.close();
        scorer.close();
        agent.close();
        client.close();
    }
}
