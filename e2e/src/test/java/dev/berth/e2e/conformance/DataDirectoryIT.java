package dev.berth.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

    private final Queue<String> created = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> counted = new ConcurrentHashMap<>();

    @Test
    @Timeout(300)
    void nothingAcknowledgedIsLostWhenTheServerIsKilled() throws IOException {
        for (int round = 0; round < 3; round++) {
            try (var server = DataServer.start(directory, "round-" + round)) {
                assertEverythingIsThere(server);
                writeUntilKilled(server, round);
            }
        }
        try (var server = DataServer.start(directory, "last")) {
            assertEverythingIsThere(server);
            assertThat(created).hasSizeGreaterThan(3 * ENOUGH);
        }
    }

    /** Each writer makes objects and counts in one of its own, and notes only what the server has acknowledged. */
    private void writeUntilKilled(DataServer server, int round) {
        int before = created.size();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                var name = "w%d-%d".formatted(round, writer);
                threads.execute(() -> write(server, name));
            }
            Await.until(PATIENCE, () -> created.size() > before + ENOUGH, () -> "only " + created.size() + " writes");
            server.kill();
        }
    }

    private void write(DataServer server, String name) {
        try {
            create(server, name + "-counter");
            for (int i = 1; ; i++) {
                create(server, name + "-" + i);
                var body = "{\"metadata\":{\"name\":\"%s-counter\"},\"data\":{\"n\":\"%d\"}}".formatted(name, i);
                if (server.send("PUT", "/api/v1/namespaces/default/configmaps/" + name + "-counter", body)
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

    private void create(DataServer server, String name) throws IOException {
        var made = server.send(
                "POST", "/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"" + name + "\"}}");
        if (made.statusCode() == 201) created.add(name);
    }

    private void assertEverythingIsThere(DataServer server) throws IOException {
        var names = new TreeSet<String>();
        for (JsonNode item : JSON.readTree(server.send("GET", "/api/v1/namespaces/default/configmaps", "")
                        .body())
                .path("items")) {
            var name = item.at("/metadata/name").asText();
            names.add(name);
            var acknowledged = counted.getOrDefault(name, 0);
            assertThat(item.at("/data/n").asInt(0)).as(name).isGreaterThanOrEqualTo(acknowledged);
        }
        assertThat(names).containsAll(created);
    }
}
