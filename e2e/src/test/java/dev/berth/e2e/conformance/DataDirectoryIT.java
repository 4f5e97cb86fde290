package dev.berth.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code berth apiserver --data-dir} has acknowledged is there after a kill -9 in the middle of writing. */
class DataDirectoryIT {
    private static final int WRITERS = 4;
    private static final int ENOUGH = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory = Path.of(".");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> created = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> counted = new ConcurrentHashMap<>();
    private URI address = URI.create("http://127.0.0.1");

    @Test
    @Timeout(300)
    void nothingAcknowledgedIsLostWhenTheServerIsKilled() throws IOException {
        for (int round = 0; round < 3; round++) {
            try (var server = start("round-" + round)) {
                assertEverythingIsThere();
                writeUntilKilled(server, round);
            }
        }
        try (var _ = start("last")) {
            assertEverythingIsThere();
            assertThat(created).hasSizeGreaterThan(3 * ENOUGH);
        }
    }

    private GuardedProcess start(String name) throws IOException {
        int port = Ports.free();
        address = URI.create("http://127.0.0.1:" + port);
        var launcher = E2eFolder.path().toAbsolutePath().resolveSibling("berth").normalize();
        var server = GuardedProcess.start(
                List.of(
                        "env",
                        "BERTH_NO_BUILD=1",
                        launcher.toString(),
                        "apiserver",
                        "--port=" + port,
                        "--data-dir=" + directory.resolve("state"),
                        "--write-kubeconfig=" + directory.resolve("kubeconfig")),
                E2eFolder.target("data-directory").resolve(name + ".log"));
        Await.until(PATIENCE, () -> answers(server), server::lastWords);
        return server;
    }

    private boolean answers(GuardedProcess server) {
        if (!server.alive()) throw new AssertionError("berth apiserver ended: " + server.lastWords());
        try {
            return send("GET", "/readyz", "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Each writer makes objects and counts in one of its own, and notes only what the server has acknowledged. */
    private void writeUntilKilled(GuardedProcess server, int round) {
        int before = created.size();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                var name = "w%d-%d".formatted(round, writer);
                threads.execute(() -> write(name));
            }
            Await.until(PATIENCE, () -> created.size() > before + ENOUGH, () -> "only " + created.size() + " writes");
            server.kill();
        }
    }

    private void write(String name) {
        try {
            create(name + "-counter");
            for (int i = 1; ; i++) {
                create(name + "-" + i);
                var body = "{\"metadata\":{\"name\":\"%s-counter\"},\"data\":{\"n\":\"%d\"}}".formatted(name, i);
                if (send("PUT", "/api/v1/namespaces/default/configmaps/" + name + "-counter", body)
                                .statusCode()
                        != 200) {
                    return;
                }
                counted.put(name + "-counter", i);
            }
        } catch (IOException _) {
            // The server is dead, as it should be.
        }
    }

    private void create(String name) throws IOException {
        var made = send("POST", "/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"" + name + "\"}}");
        if (made.statusCode() == 201) created.add(name);
    }

    private void assertEverythingIsThere() throws IOException {
        var names = new TreeSet<String>();
        for (JsonNode item : JSON.readTree(
                        send("GET", "/api/v1/namespaces/default/configmaps", "").body())
                .path("items")) {
            var name = item.at("/metadata/name").asText();
            names.add(name);
            var acknowledged = counted.getOrDefault(name, 0);
            assertThat(item.at("/data/n").asInt(0)).as(name).isGreaterThanOrEqualTo(acknowledged);
        }
        assertThat(names).containsAll(created);
    }

    private HttpResponse<String> send(String method, String path, String body) throws IOException {
        try {
            var publisher =
                    body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
            return http.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .timeout(Duration.ofSeconds(20))
                            .header("Content-Type", "application/json")
                            .method(method, publisher)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
