package dev.berth.pinner.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The health server of the contract, 1.1. */
class HealthRoutesTest {
    private final AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.empty());
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server = HttpServer.start(List.of(new Listener(
            "health",
            "127.0.0.1",
            0,
            Optional.empty(),
            Limits.DEFAULT,
            routes -> new HealthRoutes(problem::get).addTo(routes))));

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        var url = URI.create("http://127.0.0.1:" + server.port("health") + path);
        return client.send(
                HttpRequest.newBuilder(url)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void bothAnswerInTheDocumentsWords() throws Exception {
        assertThat(send("GET", "/health").body()).isEqualTo("{\"service\":\"gpu-scheduler\",\"status\":\"healthy\"}\n");
        assertThat(send("GET", "/ready").body()).isEqualTo("{\"service\":\"gpu-scheduler\",\"status\":\"ready\"}\n");
        assertThat(send("GET", "/ready").headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void whoeverIsNotReadySaysSoAndIsHealthyAllTheSame() throws Exception {
        problem.set(Optional.of("the watch is interrupted"));

        assertThat(send("GET", "/ready").statusCode()).isEqualTo(503);
        assertThat(send("GET", "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void otherMethodsAreAnsweredAsTheyWere() throws Exception {
        assertThat(send("HEAD", "/health").statusCode()).isEqualTo(200);
        assertThat(send("HEAD", "/health").body()).isEmpty();
        assertThat(send("OPTIONS", "/ready").headers().firstValue("Allow")).contains("HEAD, GET, OPTIONS");
        assertThat(send("POST", "/health").statusCode()).isEqualTo(405);
        assertThat(send("POST", "/health").headers().firstValue("Allow")).contains("HEAD, GET, OPTIONS");
        assertThat(send("GET", "/health/").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/").statusCode()).isEqualTo(404);
    }
}
