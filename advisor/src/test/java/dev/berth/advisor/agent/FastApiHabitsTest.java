package dev.berth.advisor.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract's section 1, row by row: what clients of the published program, a FastAPI application, rely on. */
class FastApiHabitsTest {
    private static final String SCORE = "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\"]%s}";
    private static final String OBSERVE = "{\"job_type\": \"j\", \"gpu_type\": \"A\", %s}";

    @TempDir
    private Path folder = Path.of(".");

    private RunningAgent agent;

    @BeforeEach
    void start() {
        agent = new RunningAgent(folder.resolve("agent.db"), Map.of());
    }

    @AfterEach
    void stop() {
        agent.close();
    }

    private static void assertReply(HttpResponse<String> reply, int status, String body) {
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(status);
        assertThat(reply.body()).isEqualTo(body);
        assertThat(reply.headers().firstValue("content-type")).hasValue("application/json");
    }

    private void assertInvalid(HttpResponse<String> reply, String... typesAndLocations) throws IOException {
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(422);
        assertThat(RunningAgent.json(reply)
                        .path("detail")
                        .valueStream()
                        .map(each -> each.path("type").asText() + " " + each.path("loc")))
                .containsExactly(typesAndLocations);
    }

    @Test
    void anUnknownPathIsNotFound() throws Exception {
        for (var path : List.of("/nowhere", "/v1", "/v1/scores", "/v1/score/x")) {
            assertReply(agent.get(path), 404, "{\"detail\":\"Not Found\"}");
        }
    }

    @Test
    void anotherMethodIsNotAllowed() throws Exception {
        for (var path : List.of("/v1/score", "/v1/observe")) {
            var reply = agent.get(path);
            assertReply(reply, 405, "{\"detail\":\"Method Not Allowed\"}");
            assertThat(reply.headers().firstValue("allow")).hasValue("POST");
        }
        for (var path : List.of("/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/beliefs", "/")) {
            var reply = agent.post(path, "{}");
            assertReply(reply, 405, "{\"detail\":\"Method Not Allowed\"}");
            assertThat(reply.headers().firstValue("allow")).hasValue("GET");
        }
    }

    @Test
    void aSlashTooManyIsRedirected() throws Exception {
        for (var path : List.of("/v1/score", "/v1/observe", "/healthz", "/readyz", "/metrics")) {
            var reply = agent.post(path + "/?a=b", "{}");
            assertThat(reply.statusCode()).as(path).isEqualTo(307);
            assertThat(reply.headers().firstValue("location")).hasValue(path + "?a=b");
        }
    }

    @Test
    void malformedJsonIsNamedWithItsPlace() throws Exception {
        var reply = agent.post("/v1/score", "badjson");

        assertInvalid(reply, "json_invalid [\"body\",0]");
        var first = RunningAgent.json(reply).at("/detail/0");
        assertThat(first.path("msg").asText()).isEqualTo("JSON decode error");
        assertThat(first.path("ctx").path("error").asText()).isNotEmpty();
        assertThat(first.path("input").isObject()).isTrue();
        assertInvalid(agent.post("/v1/score", "{\"job_type\": oops}"), "json_invalid [\"body\",13]");
    }

    @Test
    void aDetailHasTheKeysOfPydantic() throws Exception {
        var reply = agent.post("/v1/observe", "{\"job_type\": 7}");

        assertThat(RunningAgent.json(reply).at("/detail/0").toString())
                .isEqualTo("{\"type\":\"string_type\",\"loc\":[\"body\",\"job_type\"],\"msg\":"
                        + "\"Input should be a valid string\",\"input\":7,\"url\":"
                        + "\"https://errors.pydantic.dev/2.5/v/string_type\"}");
    }

    @Test
    void whatIsNotSentAsJsonIsNoObject() throws Exception {
        var reply = agent.send("POST", "/v1/score", "text/plain", SCORE.formatted(""));

        assertInvalid(reply, "model_attributes_type [\"body\"]");
        assertThat(RunningAgent.json(reply).at("/detail/0/input").asText()).isEqualTo(SCORE.formatted(""));
        assertInvalid(agent.post("/v1/score", "[1]"), "model_attributes_type [\"body\"]");
    }

    @Test
    void whatDoesNotSayWhatItIsIsJson() throws Exception {
        for (var type : List.of("", "application/json", "application/json; charset=utf-8", "application/vnd.x+json")) {
            assertThat(agent.send("POST", "/v1/score", type, SCORE.formatted(""))
                            .statusCode())
                    .as(type)
                    .isEqualTo(200);
        }
    }

    @Test
    void anEmptyBodyIsMissing() throws Exception {
        for (var path : List.of("/v1/score", "/v1/observe")) {
            var reply = agent.post(path, "");
            assertInvalid(reply, "missing [\"body\"]");
            assertThat(RunningAgent.json(reply).at("/detail/0/input").isNull()).isTrue();
        }
    }

    @Test
    void fieldsOfAQuestionAreChecked() throws Exception {
        assertInvalid(
                agent.post("/v1/score", "{}"),
                "missing [\"body\",\"job_type\"]",
                "missing [\"body\",\"candidate_gpu_types\"]");
        assertInvalid(
                agent.post("/v1/score", SCORE.formatted(", \"features\": null")), "dict_type [\"body\",\"features\"]");
        assertInvalid(
                agent.post("/v1/score", SCORE.formatted(", \"colocated_job_types\": null")),
                "list_type [\"body\",\"colocated_job_types\"]");
        assertThat(agent.post(
                                "/v1/score",
                                "{\"job_type\": \"\", \"candidate_gpu_types\": [\"A\", \"A\"], \"extra\": {}}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void featuresAreReadAsPythonDoes() throws Exception {
        for (var fine : List.of(
                "{\"gpu_mem_gb\": \"40\"}",
                "{\"gpu_mem_gb\": 40.5, \"model_params_m\": \" 1e3 \", \"batch_size\": 16.7}",
                "{\"batch_size\": \"16\", \"tenant\": 7, \"anything\": [1, {\"deep\": null}]}")) {
            assertThat(agent.post("/v1/score", SCORE.formatted(", \"features\": " + fine))
                            .statusCode())
                    .as(fine)
                    .isEqualTo(200);
        }
        assertReply(
                agent.post("/v1/score", SCORE.formatted(", \"features\": {\"model_params_m\": \"abc\"}")),
                400,
                "{\"detail\":\"could not convert string to float: 'abc'\"}");
        assertReply(
                agent.post("/v1/score", SCORE.formatted(", \"features\": {\"batch_size\": \"16.7\"}")),
                400,
                "{\"detail\":\"invalid literal for int() with base 10: '16.7'\"}");
        assertReply(
                agent.post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": []}"),
                400,
                "{\"detail\":\"No candidate GPU types provided\"}");
    }

    @Test
    void namesThatNoDatabaseCanKeepAreRefused() throws Exception {
        var long257 = "x".repeat(257);
        assertInvalid(
                agent.post(
                        "/v1/observe",
                        "{\"job_type\": \"%s\", \"gpu_type\": \"a\\u0000b\", \"measured_runtime_s\": 1, \"colocated_job_types\": [\"ok\", \"\\ud800\"]}"
                                .formatted(long257)),
                "string_too_long [\"body\",\"job_type\"]",
                "string_unicode [\"body\",\"gpu_type\"]",
                "string_unicode [\"body\",\"colocated_job_types\",1]");
        assertReply(
                agent.post(
                        "/v1/observe",
                        "{\"job_type\": \"%s\", \"gpu_type\": \"\\ud83d\\ude00\", \"measured_runtime_s\": 1}"
                                .formatted("x".repeat(256))),
                200,
                "{\"status\":\"ok\"}");
    }

    @Test
    void observationsAreAnsweredAsPublished() throws Exception {
        assertReply(
                agent.post("/v1/observe", OBSERVE.formatted("\"measured_runtime_s\": \"12.5\"")),
                200,
                "{\"status\":\"ok\"}");
        assertInvalid(
                agent.post("/v1/observe", "{}"),
                "missing [\"body\",\"job_type\"]",
                "missing [\"body\",\"gpu_type\"]",
                "missing [\"body\",\"measured_runtime_s\"]");
        assertInvalid(
                agent.post("/v1/observe", OBSERVE.formatted("\"runtime_seconds\": \"soon\"")),
                "float_parsing [\"body\",\"runtime_seconds\"]");
    }

    @Test
    void probesAndFiguresAreWhereTheyWere() throws Exception {
        assertReply(agent.get("/healthz"), 200, "{\"status\":\"healthy\"}");
        assertReply(agent.get("/readyz"), 200, "{\"status\":\"ready\"}");
        agent.post("/v1/score", SCORE.formatted(""));
        var metrics = agent.get("/metrics");
        assertThat(metrics.headers().firstValue("content-type").orElseThrow())
                .startsWith("text/plain;")
                .contains("charset=utf-8");
        assertThat(metrics.body())
                .contains("scheduler_decisions_total{decision_type=\"exploration\",gpu_type=\"A\"} 1.0")
                .contains("scheduler_exploration_ratio 1.0")
                .contains("scheduler_avg_uncertainty 0.0")
                .contains("scheduler_scoring_duration_seconds_bucket{le=\"0.005\"}");
    }

    @Test
    void numbersInTextsAreReadAsPythonReadsThem() throws Exception {
        for (var text : List.of("40d", "40f", "0x1p3", "1__0", "")) {
            assertReply(
                    agent.post(
                            "/v1/score", SCORE.formatted(", \"features\": {\"gpu_mem_gb\": \"%s\"}".formatted(text))),
                    400,
                    "{\"detail\":\"could not convert string to float: '%s'\"}".formatted(text));
        }
        for (var text : List.of("1_0", " 4e1 ", ".5", "4.", "nan", "-Infinity")) {
            var reply = agent.post(
                    "/v1/score", SCORE.formatted(", \"features\": {\"gpu_mem_gb\": \"%s\"}".formatted(text)));
            assertThat(reply.statusCode()).as(text).isEqualTo(200);
        }
    }

    @Test
    void aVeryLongNumberIsReadWithoutADeepStack() throws Exception {
        var text = "1_1".repeat(50_000) + "x";
        for (var feature : List.of("batch_size", "gpu_mem_gb")) {
            var reply = agent.post(
                    "/v1/score", SCORE.formatted(", \"features\": {\"%s\": \"%s\"}".formatted(feature, text)));
            assertThat(reply.statusCode()).as(feature).isEqualTo(400);
        }
    }

    @Test
    void aBodyInNoEncodingAtAllIsNoJson() throws Exception {
        assertInvalid(agent.post("/v1/score", "\0\0\0{\0\u0011\0\0"), "json_invalid [\"body\",0]");
    }

    @Test
    void aFailedRunIsNotLearnedFromHoweverThatIsPut() throws Exception {
        for (var failed : List.of("false", "0", "\"false\"", "\"No\"")) {
            agent.post("/v1/observe", OBSERVE.formatted("\"measured_runtime_s\": 3, \"success\": " + failed));
        }
        assertThat(agent.get("/v1/beliefs").body()).isEqualTo("{\"model\":\"ema\",\"beliefs\":[]}");
        assertInvalid(
                agent.post("/v1/observe", OBSERVE.formatted("\"measured_runtime_s\": 3, \"success\": \"perhaps\"")),
                "bool_parsing [\"body\",\"success\"]");

        agent.post("/v1/observe", OBSERVE.formatted("\"measured_runtime_s\": 3, \"success\": \"yes\""));
        assertThat(agent.get("/v1/beliefs").body()).contains("\"centre\":3.0");
    }

    @Test
    void noRunTimeSpoilsAPairForGood() throws Exception {
        for (var seconds : List.of("1", "1e200", "1e9", "5e-324")) {
            agent.post("/v1/observe", OBSERVE.formatted("\"measured_runtime_s\": " + seconds));
        }

        assertThat(agent.post("/v1/score", SCORE.formatted("")).statusCode()).isEqualTo(200);
    }
}
