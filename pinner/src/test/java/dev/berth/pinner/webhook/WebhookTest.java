package dev.berth.pinner.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The webhook over HTTP: decision order and patch table 3.4 of the contract, with the rulings applied. */
class WebhookTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server = start(new WebhookSettings("gpu-scheduler", false, false));

    private static HttpServer start(WebhookSettings settings) {
        var webhook = new PinnerWebhook(settings, new Metrics());
        return HttpServer.start(
                List.of(new Listener("webhook", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, webhook::addTo)));
    }

    private void restart(WebhookSettings settings) {
        server.close();
        server = start(settings);
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("webhook") + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private JsonNode ask(String pod) {
        var review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-1",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "default",
                 "object": %s}}
                """.formatted(pod);
        var answer = send("POST", "/mutate?timeout=10s", review);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer.body()).path("response");
    }

    private static String pod(String metadata, String spec) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {%s}, "spec": {"schedulerName": "gpu-scheduler", %s}}
                """.formatted(metadata, spec);
    }

    private static String replica(String name, String map, String spec) {
        return pod(
                "\"name\": \"%s\", \"annotations\": {\"gpu-scheduling-map\": %s}"
                        .formatted(name, JSON.valueToTree(map)),
                spec);
    }

    private static final String PLAIN = "\"containers\": [{\"name\": \"a\"}]";

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(text, e);
        }
    }

    private static JsonNode patch(JsonNode response) {
        return json(new String(Base64.getDecoder().decode(response.path("patch").asText()), StandardCharsets.UTF_8));
    }

    private static List<String> warnings(JsonNode response) {
        return response.path("warnings").valueStream().map(JsonNode::asText).toList();
    }

    @Test
    void aContainerWithoutVariablesGetsOne() {
        var response = ask(replica("app-0", "0=node1:0,1", PLAIN));

        assertThat(response.path("uid").asText()).isEqualTo("u-1");
        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        var recorded =
                "W3sib3AiOiAiYWRkIiwgInBhdGgiOiAiL3NwZWMvY29udGFpbmVycy8wL2VudiIsICJ2YWx1ZSI6IFt7Im5hbWUiOiAiQ1VEQV9WSVNJQkxFX0RFVklDRVMiLCAidmFsdWUiOiAiMCwxIn1dfV0=";
        assertThat(patch(response))
                .isEqualTo(json(new String(Base64.getDecoder().decode(recorded), StandardCharsets.UTF_8)));
        assertThat(response.has("warnings")).isFalse();
    }

    @Test
    void everyKindOfContainerIsPatchedAsTheTableSays() {
        var response = ask(replica("app-0", "0=node1:0,1", """
                "containers": [
                  {"name": "a"}, {"name": "b", "env": []}, {"name": "c", "env": [{"name": "X", "value": "1"}]},
                  {"name": "d", "env": [{"name": "X"}, {"name": "CUDA_VISIBLE_DEVICES", "value": "9"},
                                        {"name": "CUDA_VISIBLE_DEVICES", "value": "8"}]},
                  {"name": "e", "env": [{"name": "CUDA_VISIBLE_DEVICES", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]},
                  {"name": "f", "env": null}],
                "initContainers": [{"name": "i", "env": [{"name": "CUDA_VISIBLE_DEVICES", "value": "0"}]},
                                   {"name": "sidecar", "restartPolicy": "Always"}]
                """));

        var one = "[{\"name\": \"CUDA_VISIBLE_DEVICES\", \"value\": \"0,1\"}]";
        var whole = "{\"name\": \"CUDA_VISIBLE_DEVICES\", \"value\": \"0,1\"}";
        assertThat(patch(response)).isEqualTo(json("""
                [{"op": "add", "path": "/spec/containers/0/env", "value": %s},
                 {"op": "add", "path": "/spec/containers/1/env", "value": %s},
                 {"op": "add", "path": "/spec/containers/2/env/-", "value": %s},
                 {"op": "replace", "path": "/spec/containers/3/env/1/value", "value": "0,1"},
                 {"op": "remove", "path": "/spec/containers/3/env/2"},
                 {"op": "replace", "path": "/spec/containers/4/env/0", "value": %s},
                 {"op": "add", "path": "/spec/containers/5/env", "value": %s},
                 {"op": "replace", "path": "/spec/initContainers/0/env/0/value", "value": "0,1"},
                 {"op": "add", "path": "/spec/initContainers/1/env", "value": %s}]
                """.formatted(one, one, whole, whole, one, one)));
    }

    @Test
    void aUsersOwnValueIsKeptWhereThatIsAsked() {
        restart(new WebhookSettings("gpu-scheduler", false, true));

        var response = ask(replica("app-0", "0=node1:0,1", """
                "containers": [{"name": "a", "env": [{"name": "CUDA_VISIBLE_DEVICES", "value": "7"}]}, {"name": "b"}]
                """));

        assertThat(patch(response)).hasSize(1);
        assertThat(patch(response).at("/0/path").asText()).isEqualTo("/spec/containers/1/env");
    }

    @ParameterizedTest
    @CsvSource({"web-3,web-,3=n:7,7", "web-3,zzz-,3=n:7,7", "web-1-2,web-1-,2=n:7,7", "app-0,app-,0=node1:,''"})
    void theReplicaGetsWhatItsLineSays(String name, String generateName, String map, String value) {
        var response = ask(pod("""
                "name": "%s", "generateName": "%s", "annotations": {"gpu-scheduling-map": "%s"}
                """.formatted(name, generateName, map), PLAIN));

        assertThat(patch(response).at("/0/value/0/value").asText()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"name\": \"app-0\"",
                "\"name\": \"app-0\", \"annotations\": null",
                "\"name\": \"app-0\", \"annotations\": {\"gpu-scheduling-map\": \"\"}",
                "\"generateName\": \"web-\", \"annotations\": {\"gpu-scheduling-map\": \"0=n:1\"}",
                "\"name\": \"app-0\", \"annotations\": {\"gpu-scheduling-map\": \"junk\"}",
                "\"name\": \"app\", \"annotations\": {\"gpu-scheduling-map\": \"0=n:1\"}",
                "\"name\": \"app-9\", \"annotations\": {\"gpu-scheduling-map\": \"0=n:1\"}"
            })
    void whoeverHasNoLineIsLetThroughWithAWarning(String metadata) {
        var response = ask(pod(metadata, PLAIN));

        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.has("patch")).isFalse();
        assertThat(response.has("patchType")).isFalse();
        assertThat(warnings(response)).isNotEmpty();
    }

    @Test
    void podsOfAnotherSchedulerAreNoneOfItsBusiness() {
        var response = ask(replica("app-0", "junk", PLAIN).replace("gpu-scheduler\"", "default-scheduler\""));

        assertThat(response).hasToString("{\"uid\":\"u-1\",\"allowed\":true}");
    }

    @Test
    void aPodWithoutContainersGetsNoPatch() {
        assertThat(ask(replica("app-0", "0=n:1", "\"containers\": []")).has("patch"))
                .isFalse();
    }

    @Test
    void aBadLineIsAWarningThatNamesIt() {
        var response = ask(replica("app-1", "0=n:0\nabc=n:1\n1=n:1", PLAIN));

        assertThat(warnings(response))
                .containsExactly("gpu-scheduling-map: line 2 'abc=n:1': 'abc' is not the number of a replica");
        assertThat(patch(response).at("/0/value/0/value").asText()).isEqualTo("1");
    }

    @Test
    void inStrictModeTheSameTextIsADenial() {
        restart(new WebhookSettings("gpu-scheduler", true, false));

        var response = ask(replica("app-1", "0=n:0\nabc=n:1\n1=n:1", PLAIN));

        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/message").asText())
                .isEqualTo("gpu-scheduling-map: line 2 'abc=n:1': 'abc' is not the number of a replica");
        assertThat(ask(replica("app-0", "0=n:0", PLAIN)).path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void manyBadLinesAreNotAllTold() {
        assertThat(warnings(ask(replica("app-0", "0=n:1\n" + "junk\n".repeat(40), PLAIN))))
                .hasSize(11)
                .last()
                .isEqualTo("gpu-scheduling-map: and 30 more lines");
    }

    @Test
    void aPatchOfAPatchedPodChangesNothing() {
        var pod = (ObjectNode) json(replica("app-0", "0=node1:0,1", PLAIN));
        var once = VisibleDevices.patch(pod, "0,1", false).result();

        assertThat(VisibleDevices.patch(once, "0,1", false).result()).isEqualTo(once);
    }

    @Test
    void whatAsksAboutNoPodIsLetPass() {
        var answer = send("POST", "/mutate", "{}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
                        + "\"response\":{\"uid\":null,\"allowed\":true}}");
    }

    @Test
    void otherPathsAndMethodsAreRefused() {
        assertThat(send("POST", "/mutate/", "{}").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/other", "{}").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/mutate", "").statusCode()).isEqualTo(405);
        assertThat(send("POST", "/mutate", "no json").statusCode()).isEqualTo(400);
        assertThat(send("POST", "/mutate", "").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/readyz", "").statusCode()).isEqualTo(200);
    }
}
