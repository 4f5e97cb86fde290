package dev.berth.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image that was just built works where a chart would run it: on a root that cannot be written to, as nobody
 * special.
 */
class ImageIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Fails where the AOT cache cannot be used, instead of going on without it. */
    private static final Map<String, String> WITH_CACHE = Map.of("BERTH_JAVA_OPTS", "-XX:AOTMode=on");

    @TempDir
    private static Path folder = Path.of(".");

    private static UnpackedImage image;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void unpack() throws Exception {
        var tarball = Path.of("target", "berth-image.tar");
        assumeTrue(Files.exists(tarball), "the image was not built, the build's output says why");
        image = UnpackedImage.of(tarball, folder);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (var process : started) {
            process.destroy();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) process.destroyForcibly();
        }
    }

    @Test
    void itIsCalledAsTheChartsCallItAndIsNotRoot() {
        assertThat(image.manifest().path("RepoTags"))
                .extracting(JsonNode::asText)
                .contains("berth:0.1.0", "berth:latest");
        assertThat(image.settings().path("User").asText()).isEqualTo("65532:65532");
        assertThat(image.settings().path("Entrypoint"))
                .extracting(JsonNode::asText)
                .containsExactly("/usr/bin/berth");
        assertThat(image.settings()
                        .path("Labels")
                        .path("org.opencontainers.image.version")
                        .asText())
                .isEqualTo("0.1.0");
    }

    @Test
    void aShortCommandStartsFromItsCache() throws Exception {
        var output = folder.resolve("version");
        var process = start(output, WITH_CACHE, "--version");

        assertThat(process.waitFor(PATIENCE)).isTrue();
        assertThat(Files.readString(output)).startsWith("berth 0.1.0");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void aDoorBecomesReady() throws Exception {
        try (var api = ApiServer.start(ApiServerSettings.defaults().withPort(0))) {
            Files.writeString(image.tmp().resolve("kubeconfig"), api.kubeconfig());
            int webhook = freePort();
            var output = folder.resolve("assigner");
            var process = start(
                    output,
                    WITH_CACHE,
                    "assigner",
                    "--kubeconfig=/tmp/kubeconfig",
                    "--bind-address=127.0.0.1",
                    "--insecure-http",
                    "--port=" + webhook,
                    "--ui-port=" + freePort());

            assertThat(awaitAnswer(webhook, "/readyz", output)).isEqualTo("ok");
            assertThat(Files.getAttribute(Path.of("/proc/" + process.pid()), "unix:uid"))
                    .as("its user")
                    .isNotEqualTo(0);
        }
    }

    @Test
    void theAdvisorsDatabaseWorks() throws Exception {
        int port = freePort();
        var output = folder.resolve("agent");
        start(
                output,
                Map.of("BERTH_JAVA_OPTS", "-XX:AOTMode=on", "SCHEDULER_SQLITE_PATH", "/tmp/advisor.db"),
                "advisor",
                "agent",
                "--bind-address=127.0.0.1",
                "--port=" + port);

        assertThat(awaitAnswer(port, "/readyz", output)).contains("ready");
        assertThat(image.tmp().resolve("advisor.db")).exists();
    }

    private Process start(Path output, Map<String, String> environment, String... arguments) throws Exception {
        var obstacle = UnpackedImage.obstacle(folder);
        obstacle.ifPresent(reason -> abort(reason));
        var process = image.start(output, environment, List.of(arguments));
        started.add(process);
        return process;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private String awaitAnswer(int port, String path, Path output) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(PATIENCE)
                .build();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (var http = HttpClient.newHttpClient()) {
            while (true) {
                try {
                    var response = http.send(request, HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() == 200) return response.body();
                } catch (IOException notYet) {
                    assertThat(started).as(Files.readString(output)).allMatch(Process::isAlive);
                }
                assertThat(System.nanoTime()).as(Files.readString(output)).isLessThan(deadline);
                Thread.sleep(50);
            }
        }
    }
}
