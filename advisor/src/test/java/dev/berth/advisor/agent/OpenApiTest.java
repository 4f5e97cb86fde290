package dev.berth.advisor.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document at {@code /openapi.json} says what the agent does: each route, each field, each status. */
class OpenApiTest {
    private static final String SCORE = """
            {"job_type": "train", "features": {"gpu_mem_gb": 1, "model_params_m": 1, "batch_size": 1, "tenant": "t"},
             "candidate_gpu_types": ["A", "B"], "colocated_job_types": ["other"]}""";
    private static final String OBSERVE = """
            {"job_type": "train", "gpu_type": "A", "measured_runtime_s": 3, "colocated_job_types": [], "success": true,
             "status": "succeeded"}""";

    @TempDir
    private Path folder = Path.of(".");

    private RunningAgent agent;
    private JsonNode document;

    @BeforeEach
    void start() throws Exception {
        agent = new RunningAgent(folder.resolve("agent.db"), Map.of());
        document = RunningAgent.json(agent.get("/openapi.json"));
    }

    @AfterEach
    void stop() {
        agent.close();
    }

    private record Route(String method, String path, JsonNode described) {}

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                routes.add(new Route(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()));
            }
        }
        return routes;
    }

    @Test
    void everyRouteIsThere() {
        assertThat(routes().stream().map(route -> route.method() + " " + route.path()))
                .containsExactlyInAnyOrder(
                        "POST /v1/score",
                        "POST /v1/observe",
                        "GET /v1/beliefs",
                        "GET /metrics",
                        "GET /healthz",
                        "GET /readyz",
                        "GET /",
                        "GET /openapi.json");
        assertThat(document.path("openapi").asText()).startsWith("3.");
    }

    @Test
    void everyReplyHasTheShapeThatIsDescribed() throws Exception {
        for (var route : routes()) {
            var body = route.path().equals("/v1/score") ? SCORE : route.path().equals("/v1/observe") ? OBSERVE : "";
            check(route, agent.send(route.method(), route.path(), "application/json", body), 200);
        }
    }

    @Test
    void everyRefusalHasTheShapeThatIsDescribed() throws Exception {
        for (var route : routes()) {
            if (!route.method().equals("POST")) continue;
            check(route, agent.post(route.path(), "{}"), 422);
            check(route, agent.post(route.path(), "{"), 422);
        }
        var score = routes().getFirst();
        check(score, agent.post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": []}"), 400);
    }

    /** A required field that is left out is missed; one of a wrong type is refused; no other field is. */
    @Test
    void everyFieldOfABodyIsCheckedAsDescribed() throws Exception {
        check("/v1/score", SCORE, "ScoreRequest");
        check("/v1/observe", OBSERVE, "ObserveRequest");
    }

    private void check(String path, String body, String schema) throws Exception {
        var described = document.at("/components/schemas/" + schema);
        for (var property : described.path("properties").properties()) {
            var name = property.getKey();
            var without = (ObjectNode) RunningAgent.JSON.readTree(body);
            without.remove(name);
            boolean required = described
                            .path("required")
                            .valueStream()
                            .anyMatch(each -> each.asText().equals(name))
                    || name.equals("measured_runtime_s");
            var reply = agent.post(path, without.toString());
            assertThat(reply.statusCode()).as("without " + name).isEqualTo(required ? 422 : 200);
            if (required) assertThat(reply.body()).contains("[\"body\",\"" + name + "\"]");
        }
        for (var spelling : described.path("anyOf")) {
            var respelled = (ObjectNode) RunningAgent.JSON.readTree(body);
            respelled.set(spelling.at("/required/0").asText(), respelled.remove("measured_runtime_s"));
            assertThat(agent.post(path, respelled.toString()).statusCode()).isEqualTo(200);
        }
    }

    private void check(Route route, HttpResponse<String> reply, int status) throws Exception {
        assertThat(reply.statusCode()).as(route.path() + " " + reply.body()).isEqualTo(status);
        var content = route.described().at("/responses/%d/content".formatted(status));
        var type = content.fieldNames().next();
        assertThat(reply.headers().firstValue("content-type").orElse("")).startsWith(type);
        if (type.equals("application/json")) {
            conforms(RunningAgent.json(reply), content.path(type).path("schema"), route.path());
        }
    }

    /** Every field that is there is described, and every field that must be there is. */
    private void conforms(JsonNode value, JsonNode reference, String way) {
        var schema = reference.has("$ref")
                ? document.at(reference.path("$ref").asText().substring(1))
                : reference;
        assertThat(schema.isMissingNode()).as(way).isFalse();
        if (schema.has("type")) assertThat(types(schema)).as(way).contains(type(value));
        if (schema.has("properties")) {
            for (var field : value.properties()) {
                assertThat(schema.path("properties").has(field.getKey()))
                        .as(way + "." + field.getKey())
                        .isTrue();
                conforms(field.getValue(), schema.path("properties").path(field.getKey()), way + "." + field.getKey());
            }
            schema.path("required")
                    .forEach(name -> assertThat(value.has(name.asText()))
                            .as(way + "." + name)
                            .isTrue());
        }
        value.valueStream().filter(_ -> schema.has("items")).forEach(item -> conforms(item, schema.path("items"), way));
    }

    private static List<String> types(JsonNode schema) {
        var type = schema.path("type");
        return type.isArray() ? type.valueStream().map(JsonNode::asText).toList() : List.of(type.asText());
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case OBJECT -> "object";
            case STRING -> "string";
            case NULL, MISSING, BINARY, POJO -> "null";
        };
    }
}
