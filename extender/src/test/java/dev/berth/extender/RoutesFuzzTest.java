package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Any bytes to any verb: the connection stays, nothing is the server's fault, and the reply has the shape that the
 * caller decodes. {@code mvn verify} lets Jazzer make up bodies for a minute; otherwise the kept ones are sent.
 */
class RoutesFuzzTest {
    private static final Map<String, Predicate<JsonNode>> SHAPES = Map.of(
            "predicates",
                    reply -> reply.has("FailedNodes") && reply.path("Error").isTextual(),
            "vpredicates",
                    reply -> reply.path("code").isInt() && reply.path("status").isTextual(),
            "bind", reply -> reply.path("Error").isTextual(),
            "preempt", reply -> reply.path("NodeNameToMetaVictims").isObject());

    private static Stage stage;
    private static HttpClient http;

    @BeforeAll
    static void open() {
        stage = new Stage(false);
        stage.node("n", 400, 16);
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void close() {
        http.close();
        stage.close();
    }

    @FuzzTest(maxDuration = "1m")
    void everyBodyGetsAReplyOfItsShape(byte[] body) throws Exception {
        for (var verb : SHAPES.entrySet()) {
            var response = send(verb.getKey(), body);
            assertThat(response.statusCode()).as(verb.getKey()).isEqualTo(200);
            assertThat(verb.getValue().test(Stage.JSON.readTree(response.body())))
                    .as(verb.getKey())
                    .isTrue();
        }
        assertThat(send("priorities", body).statusCode()).isIn(List.of(200, 400));
    }

    private static HttpResponse<byte[]> send(String verb, byte[] body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/scheduler/%s"
                                .formatted(stage.web().port("extender"), verb)))
                        .timeout(Duration.ofSeconds(20))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }
}
