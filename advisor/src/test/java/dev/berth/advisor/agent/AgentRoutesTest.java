package dev.berth.advisor.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.advisor.store.SqlStore;
import dev.berth.advisor.store.SqliteFile;
import dev.berth.advisor.store.Store;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRoutesTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder = Path.of(".");

    private final HttpClient client = HttpClient.newHttpClient();
    private Store store;
    private Agent agent;
    private HttpServer server;

    @BeforeEach
    void start() {
        start(Map.of());
    }

    private void start(Map<String, String> environment) {
        var settings = AgentSettings.of(environment);
        store = SqlStore.open(new SqliteFile(folder.resolve("agent.db")));
        agent = new Agent(settings, store, new SplittableRandom(1), InstantSource.system(), new PrometheusRegistry());
        server = HttpServer.start(List.of(new Listener(
                "agent",
                "127.0.0.1",
                0,
                Optional.empty(),
                Limits.DEFAULT,
                new AgentRoutes(agent)::addTo,
                AgentRoutes.ERRORS)));
    }

    @AfterEach
    void stop() {
        server.close();
        agent.close();
        store.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path, String type, String body)
            throws IOException, InterruptedException {
        var address = URI.create("http://127.0.0.1:%d%s".formatted(server.port("agent"), path));
        return client.send(
                HttpRequest.newBuilder(address)
                        .timeout(Duration.ofSeconds(20))
                        .header("content-type", type)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, "application/json", body);
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(send("GET", path, "text/plain", "").body());
    }

    private int observed() throws SQLException {
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("agent.db"));
                var rows = other.createStatement().executeQuery("SELECT COUNT(*) FROM observations")) {
            return rows.getInt(1);
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (send("GET", "/readyz", "text/plain", "").statusCode() != 200) {
            assertThat(System.nanoTime()).as("ready in time").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aColdScoreIsThePublishedOneToTheLastByte() throws Exception {
        var reply = post("/v1/score", """
                {"job_type": "train-bert", "features": {"gpu_mem_gb": 40}, "candidate_gpu_types": ["A100-80GB", "A100-40GB"]}
                """);

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body())
                .isEqualTo(
                        "{\"priority_score\":50.0,\"gpu_selector\":{\"nodeSelector\":{\"gpu.nvidia.com/class\":"
                                + "\"A100-80GB\"},\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\",\"effect\":"
                                + "\"NoSchedule\"}]},\"avoid_co_locate_with\":[],\"terms\":{\"mu\":10.0,\"sigma\":5.0,\"ig\":"
                                + "2.5609889407158146,\"penalty\":0.0,\"cost\":9.70730774149893,\"chosen_gpu\":\"A100-80GB\"}}");
    }

    @Test
    void aCandidateWithTooLittleMemoryIsNone() throws Exception {
        var reply = post("/v1/score", """
                {"job_type": "j", "features": {"gpu_mem_gb": 40}, "candidate_gpu_types": ["L4-24GB", "H100-80GB"]}
                """);
        assertThat(JSON.readTree(reply.body()).at("/terms/chosen_gpu").asText()).isEqualTo("H100-80GB");

        var none = post("/v1/score", """
                {"job_type": "j", "features": {"gpu_mem_gb": 400}, "candidate_gpu_types": ["L4-24GB", "H100-80GB"]}
                """);
        assertThat(none.statusCode()).isEqualTo(400);
        assertThat(none.body()).contains("400.0 GiB");
    }

    @Test
    void everyThreeSpellingsOfTheRunTimeAreLearnedFrom() throws Exception {
        for (var body : List.of(
                "{\"job_type\": \"j\", \"gpu_type\": \"A\", \"measured_runtime_s\": 8}",
                "{\"job_id\": \"1\", \"job_type\": \"j\", \"gpu_type\": \"B\", \"features\": {}, \"actual_runtime\": \"9.5\"}",
                "{\"job_type\": \"j\", \"gpu_type\": \"C\", \"runtime_seconds\": 7, \"wait_seconds\": 1, \"status\": \"succeeded\"}")) {
            var reply = post("/v1/observe", body);
            assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo("{\"status\":\"ok\"}");
        }

        var score = post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\", \"B\", \"C\"]}");

        assertThat(JSON.readTree(score.body()).at("/terms/chosen_gpu").asText()).isEqualTo("C");
        assertThat(JSON.readTree(score.body()).at("/terms/mu").asDouble()).isEqualTo(7);
    }

    @Test
    void failedRunsAreAcceptedAndNotLearnedFrom() throws Exception {
        for (var failed : List.of("\"success\": false", "\"status\": \"failed\"")) {
            var reply = post(
                    "/v1/observe",
                    "{\"job_type\": \"j\", \"gpu_type\": \"A\", \"actual_runtime\": 1, %s}".formatted(failed));
            assertThat(reply.statusCode()).isEqualTo(200);
        }

        assertThat(observed()).isZero();
    }

    @Test
    void aBodyThatIsNotRightIsToldFieldByField() throws Exception {
        var reply =
                post("/v1/score", "{\"features\": null, \"candidate_gpu_types\": [1], \"colocated_job_types\": null}");

        assertThat(reply.statusCode()).isEqualTo(422);
        var detail = JSON.readTree(reply.body()).path("detail");
        assertThat(detail.valueStream().map(each -> each.path("type").asText() + " " + each.path("loc")))
                .containsExactly(
                        "missing [\"body\",\"job_type\"]",
                        "dict_type [\"body\",\"features\"]",
                        "string_type [\"body\",\"candidate_gpu_types\",0]",
                        "list_type [\"body\",\"colocated_job_types\"]");
        assertThat(detail.at("/0/msg").asText()).isEqualTo("Field required");
    }

    @Test
    void runTimesThatAreNoneAreRefused() throws Exception {
        for (var wrong :
                List.of("0", "-1", "NaN", "\"nan\"", "null", "\"long\"", "\"1d\"", "\"0x1p3\"", "1e200", "true")) {
            var reply = post(
                    "/v1/observe",
                    "{\"job_type\": \"j\", \"gpu_type\": \"A\", \"measured_runtime_s\": %s}".formatted(wrong));
            assertThat(reply.statusCode()).as(wrong).isEqualTo(422);
            assertThat(JSON.readTree(reply.body()).at("/detail/0/loc/1").asText())
                    .isEqualTo("measured_runtime_s");
        }
        assertThat(observed()).isZero();
    }

    @Test
    void otherMistakesGetThePublishedReplies() throws Exception {
        assertThat(post("/v1/score", "badjson").body()).contains("\"type\":\"json_invalid\"");
        assertThat(post("/v1/score", "").body()).contains("\"type\":\"missing\",\"loc\":[\"body\"]");
        assertThat(send("POST", "/v1/score", "text/plain", "{}").body()).contains("model_attributes_type");
        assertThat(post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": []}")
                        .body())
                .isEqualTo("{\"detail\":\"No candidate GPU types provided\"}");
        assertThat(post(
                                "/v1/score",
                                "{\"job_type\": \"j\", \"features\": {\"gpu_mem_gb\": \"abc\"}, \"candidate_gpu_types\": [\"A\"]}")
                        .body())
                .isEqualTo("{\"detail\":\"could not convert string to float: 'abc'\"}");
        assertThat(post(
                                "/v1/score",
                                "{\"job_type\": \"j\", \"features\": {\"batch_size\": \"16.7\"}, \"candidate_gpu_types\": [\"A\"]}")
                        .body())
                .isEqualTo("{\"detail\":\"invalid literal for int() with base 10: '16.7'\"}");
        var wrongMethod = send("GET", "/v1/score", "text/plain", "");
        assertThat(wrongMethod.statusCode()).isEqualTo(405);
        assertThat(wrongMethod.body()).isEqualTo("{\"detail\":\"Method Not Allowed\"}");
        assertThat(post("/v1/score/", "{}").statusCode()).isEqualTo(307);
    }

    @Test
    void theFrontPageTellsTheSettings() throws Exception {
        assertThat(get("/").path("service").asText()).isEqualTo("information-theoretic-gpu-scheduler");
        assertThat(get("/").at("/config/beta_exploration").asDouble()).isEqualTo(0.7);
        assertThat(get("/healthz").path("status").asText()).isEqualTo("healthy");
    }

    @Test
    void aRunWithANameIsLearnedFromOnce() throws Exception {
        var run = "{\"job_id\": \"pod-1\", \"job_type\": \"j\", \"gpu_type\": \"B\", \"actual_runtime\": 3}";

        assertThat(post("/v1/observe", run).statusCode()).isEqualTo(200);
        assertThat(post("/v1/observe", run).statusCode()).isEqualTo(200);

        assertThat(observed()).isEqualTo(1);
    }

    @Test
    void whatWasAcknowledgedIsKnownAfterARestart() throws Exception {
        post("/v1/observe", "{\"job_type\": \"j\", \"gpu_type\": \"B\", \"measured_runtime_s\": 3}");
        for (var model : List.of("ema", "bayes")) {
            server.close();
            agent.close();
            store.close();
            start(Map.of("SCHEDULER_MODEL", model));

            var score = JSON.readTree(post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"B\"]}")
                    .body());
            assertThat(score.at("/terms/mu").asDouble()).as(model).isBetween(2.9, 4.0);
        }
    }

    @Test
    void aDatabaseThatCannotBeWrittenEndsReadinessButNotScoring() throws Exception {
        assertThat(get("/readyz").path("status").asText()).isEqualTo("ready");
        var observation = "{\"job_type\": \"j\", \"gpu_type\": \"B\", \"measured_runtime_s\": 3}";
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("agent.db"))) {
            other.createStatement().execute("BEGIN IMMEDIATE");

            assertThat(post("/v1/observe", observation).statusCode()).isEqualTo(503);
            assertThat(get("/readyz").path("detail").asText()).isEqualTo("Service not ready");
            assertThat(post("/v1/score", "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"B\"]}")
                            .statusCode())
                    .isEqualTo(200);
            other.createStatement().execute("ROLLBACK");
        }

        awaitReady();
        assertThat(post("/v1/observe", observation).statusCode()).isEqualTo(200);
        assertThat(observed()).isEqualTo(1);
    }
}
