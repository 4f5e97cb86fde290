package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Any bytes to any verb: the connection stays, and nothing is the server's fault. With {@code JAZZER_FUZZ=1} Jazzer
 * makes up bodies for a minute; otherwise the recorded ones are sent.
 */
class BodiesFuzzTest {
    private static final List<String> VERBS = List.of("predicates", "vpredicates", "bind", "preempt", "priorities");

    private static Stage stage;
    private static HttpClient http;

    @BeforeAll
    static void open() {
        stage = new Stage(true);
        stage.node("n", 400, 16);
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        http.close();
        stage.close();
    }

    @FuzzTest(maxDuration = "1m")
    void everyBodyGetsAnAnswer(byte[] body) throws Exception {
        for (var verb : VERBS) {
            var response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/scheduler/%s"
                                    .formatted(stage.web().port("extender"), verb)))
                            .timeout(Duration.ofSeconds(20))
                            .POST(BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(verb).isIn(200, 400);
        }
    }
}
