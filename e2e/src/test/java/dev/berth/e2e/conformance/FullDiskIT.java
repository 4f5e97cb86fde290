package dev.berth.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk under {@code berth apiserver --data-dir} is full: what cannot be kept is refused, and nobody sees it; what
 * is there can be read; when there is room again all goes on by itself.
 */
class FullDiskIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String FILLING = "x".repeat(1_000);
    private static final int ENOUGH = 200;

    @TempDir
    private Path directory = Path.of(".");

    /** What the server has acknowledged: each object and what it says. */
    private final TreeMap<String, String> kept = new TreeMap<>();

    private final TreeSet<String> refused = new TreeSet<>();

    @Test
    @Timeout(240)
    void whatCannotBeKeptIsRefusedAndWhatWasAcknowledgedIsNeverLost() throws Exception {
        try (var server = DataServer.start(directory, "full")) {
            for (int number = 0; number < ENOUGH; number++) create(server, "early-" + number);
            assertThat(refused).isEmpty();

            // What a full disk is to a program: files that may not grow.
            limitFiles(server, (longestFile() + 20_000) + ":");
            for (int number = 0; number < ENOUGH; number++) create(server, "late-" + number);

            assertThat(refused).as("of what came too late").hasSizeBetween(ENOUGH / 2, ENOUGH);
            assertWhatIsKeptIsServed(server);
            assertChangesAreRefused(server);
            assertWhatIsKeptIsServed(server);
            assertThat(server.send("GET", "/healthz", "").statusCode())
                    .as("a restart would not help")
                    .isEqualTo(200);
            assertThat(server.send("GET", "/readyz", ""))
                    .returns(500, HttpResponse::statusCode)
                    .satisfies(answer -> assertThat(answer.body()).contains("[-]data-dir failed"));

            limitFiles(server, "unlimited:");

            Await.until(PATIENCE, () -> ready(server), () -> "it is not ready again");
            refused.clear();
            for (int number = 0; number < ENOUGH; number++) create(server, "again-" + number);
            assertThat(refused).isEmpty();
            assertControllersWork(server);
            server.kill();
        }
        try (var restarted = DataServer.start(directory, "roomy")) {
            assertWhatIsKeptIsServed(restarted);
        }
    }

    private void create(DataServer server, String name) throws IOException {
        var made = server.send("POST", MAPS, map(name, "first"));
        if (made.statusCode() == 201) {
            kept.put(name, "first");
        } else {
            assertRefused(made);
            refused.add(name);
        }
    }

    private static void assertRefused(HttpResponse<String> answer) throws IOException {
        var status = JSON.readTree(answer.body());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
        assertThat(status.path("reason").asText()).isEqualTo("InternalError");
        assertThat(status.path("message").asText())
                .contains("could not be written to the data directory")
                .contains("make room there and try again");
    }

    private void assertChangesAreRefused(DataServer server) throws IOException {
        assertRefused(server.send("PUT", MAPS + "/early-1", map("early-1", "second")));
        // A deletion is small: the last bytes may be enough for some.
        for (var name : List.copyOf(kept.keySet())) {
            var answer = server.send("DELETE", MAPS + "/" + name, "");
            if (answer.statusCode() != 200) {
                assertRefused(answer);
                return;
            }
            kept.remove(name);
        }
        throw new AssertionError("every deletion was taken");
    }

    private void assertWhatIsKeptIsServed(DataServer server) throws IOException {
        var served = new TreeMap<String, String>();
        for (JsonNode item : JSON.readTree(server.send("GET", MAPS, "").body()).path("items")) {
            if (item.path("data").has("says")) {
                served.put(
                        item.at("/metadata/name").asText(),
                        item.at("/data/says").asText());
            }
        }
        assertThat(served).isEqualTo(kept);
    }

    /** The server's own writers have been refused as well: they are to have tried again. */
    private static void assertControllersWork(DataServer server) throws IOException {
        var deployment = """
                {"metadata": {"name": "after"}, "spec": {"selector": {"matchLabels": {"app": "after"}},
                 "template": {"metadata": {"labels": {"app": "after"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
                """;
        assertThat(server.send("POST", "/apis/apps/v1/namespaces/default/deployments", deployment)
                        .statusCode())
                .isEqualTo(201);
        Await.until(PATIENCE, () -> pods(server) == 1, () -> "no pod of the deployment");
    }

    private static int pods(DataServer server) {
        try {
            var pods = server.send("GET", "/api/v1/namespaces/default/pods?labelSelector=app%3Dafter", "");
            return JSON.readTree(pods.body()).path("items").size();
        } catch (IOException e) {
            return -1;
        }
    }

    private static boolean ready(DataServer server) {
        try {
            return server.send("GET", "/readyz", "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static String map(String name, String says) {
        return "{\"metadata\": {\"name\": \"%s\"}, \"data\": {\"says\": \"%s\", \"filling\": \"%s\"}}"
                .formatted(name, says, FILLING);
    }

    private long longestFile() throws IOException {
        try (var files = Files.list(directory.resolve("state"))) {
            return files.mapToLong(file -> file.toFile().length()).max().orElseThrow();
        }
    }

    private static void limitFiles(DataServer server, String limit) throws Exception {
        var prlimit = new ProcessBuilder("prlimit", "--pid=" + server.pid(), "--fsize=" + limit)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(prlimit.exitValue()).isZero();
    }
}
