package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The document's own command line: its program's name, and its three flags in place of a kubeconfig. */
@OnBothServers
class CommandLineIT {
    private static final Duration START = Duration.ofSeconds(90);

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(240)
    void thePublishedProgramsNameAndFlagsWork(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            gpus.addNodes(1, 1);
            var log = E2eFolder.target("assigner/%s-published.log".formatted(gpus.claims()));
            try (var program = GuardedProcess.start(command(server, gpus), log)) {
                var port = Pattern.compile("webhook +http://127\\.0\\.0\\.1:(\\d+)/mutate");
                Await.until(START, () -> port.matcher(text(log)).find(), program::lastWords);
                var found = port.matcher(text(log));
                assertThat(found.find()).isTrue();
                var address = "http://127.0.0.1:" + found.group(1);

                GpuCluster.await(
                        "a GPU is reserved",
                        () -> GpuCluster.response(mutate(address, gpus.review("req-1", "p1", 1)))
                                .path("allowed")
                                .asBoolean());

                assertThat(gpus.leases()).hasSize(1);
                var ui = Pattern.compile("page +(http://127\\.0\\.0\\.1:\\d+)/").matcher(text(log));
                assertThat(ui.find()).isTrue();
                GpuCluster.await(
                        "the console beside the page tells of the node",
                        () -> get(ui.group(1) + "/console/api/rows")
                                .contains(gpus.claims().replace("claims-", "node/")));
            }
        }
    }

    private List<String> command(Cluster server, GpuCluster gpus) throws IOException {
        var program = E2eFolder.path().toAbsolutePath().resolve("../bin/gpu-device-assigner");
        var command = new ArrayList<>(List.of(
                "env",
                "BERTH_NO_BUILD=1",
                program.normalize().toString(),
                "--kubernetes-url=" + server.address(),
                "--access-token="
                        + Files.writeString(
                                directory.resolve("token"), server.token().orElse("none") + "\n"),
                "--bind-address=127.0.0.1",
                "--insecure-http",
                "--port=0",
                "--ui-port=0",
                "--console",
                "--claims-namespace=" + gpus.claims(),
                "--renew-interval=30000",
                "--renew-jitter=0.1",
                "--log-level=debug"));
        var authority = gpus.client.getConfiguration().getCaCertFile();
        if (authority != null) {
            var encoded = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(authority)));
            command.add("--ca-certificate=" + Files.writeString(directory.resolve("ca"), encoded + "\n"));
        }
        return command;
    }

    private static String mutate(String address, String review) {
        return send(HttpRequest.newBuilder(URI.create(address + "/mutate"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(review)));
    }

    private static String get(String address) {
        return send(HttpRequest.newBuilder(URI.create(address)));
    }

    private static String send(HttpRequest.Builder request) {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException problem) {
            throw new AssertionError(problem);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static String text(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException problem) {
            throw new AssertionError(problem);
        }
    }
}
