package dev.berth.e2e.extender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One replica of the extender, as a process. */
final class Replica implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(150);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final int port = Ports.free();
    private final GuardedProcess process;

    private Replica(Path kubeconfig, String... more) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx144m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Berth",
                "extender",
                "--kubeconfig=" + kubeconfig,
                "--address=127.0.0.1:" + port,
                "--pprofAddress=127.0.0.1:0",
                "--v=2"));
        command.addAll(List.of(more));
        this.process = GuardedProcess.start(command, E2eFolder.target("extender/replica-%d.log".formatted(port)));
    }

    /** Starts one and waits until it is ready. */
    static Replica start(Path kubeconfig, String... more) {
        var replica = new Replica(kubeconfig, more);
        Await.until(
                START,
                () -> replica.status("/readyz") == 200,
                () -> "the extender is not ready: " + replica.process.lastWords());
        return replica;
    }

    /** What a scheduler's configuration calls its urlPrefix. */
    String url() {
        return "http://127.0.0.1:%d/scheduler".formatted(port);
    }

    private int status(String path) {
        try {
            return HTTP.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException notYet) {
            return 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    JsonNode ask(String verb, String body) throws IOException, InterruptedException {
        var response = HTTP.send(
                HttpRequest.newBuilder(URI.create(url() + "/" + verb))
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(30))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    String lastWords() {
        return process.lastWords();
    }

    @Override
    public void close() {
        process.close();
    }
}
