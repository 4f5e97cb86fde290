package dev.berth.extender.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DebugRoutesTest {
    private static HttpServer server;

    @BeforeAll
    static void open() {
        server = HttpServer.start(List.of(new Listener(
                "debug", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, new DebugRoutes(new Metrics())::addTo)));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static HttpResponse<byte[]> get(String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("debug") + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String text(String path) throws Exception {
        return new String(get(path).body(), StandardCharsets.UTF_8);
    }

    @Test
    void theIndexNamesWhatThereIs() throws Exception {
        assertThat(text("/debug/pprof/")).contains("/debug/threads", "/debug/heap", "/debug/jfr?seconds=30");
    }

    @Test
    void threadsAndHeapAreShown() throws Exception {
        assertThat(text("/debug/threads")).contains("Full thread dump");
        assertThat(text("/debug/heap")).contains("java.lang.String");
        assertThat(text("/metrics")).contains("process_");
    }

    @Test
    void aFlightIsRecorded() throws Exception {
        var recording = get("/debug/jfr?seconds=1");

        assertThat(recording.statusCode()).isEqualTo(200);
        assertThat(new String(recording.body(), 0, 3, StandardCharsets.US_ASCII))
                .isEqualTo("FLR");
    }

    @Test
    void aFlightOfNoOrEndlessSecondsIsRefused() throws Exception {
        for (var seconds : List.of("0", "301", "many")) {
            assertThat(get("/debug/jfr?seconds=" + seconds).statusCode())
                    .as(seconds)
                    .isEqualTo(400);
        }
    }
}
