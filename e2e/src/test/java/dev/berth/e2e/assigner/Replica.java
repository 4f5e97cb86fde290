package dev.berth.e2e.assigner;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One replica of the assigner, as a process that serves plain HTTP. */
final class Replica implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(150);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final int port;
    private final int uiPort;
    private final List<String> command;
    private final Path log;
    private GuardedProcess process;

    private Replica(Path kubeconfig, String claims, String... more) {
        this.port = freePort();
        this.uiPort = freePort();
        this.log = E2eFolder.target("assigner/%s-%d.log".formatted(claims, port));
        this.command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx144m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Berth",
                "assigner",
                "--kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--insecure-http",
                "--port=" + port,
                "--ui-port=" + uiPort,
                "--claims-namespace=" + claims,
                "--log-level=info"));
        command.addAll(List.of(more));
        this.process = GuardedProcess.start(command, log);
    }

    /** Starts one and waits until it is ready. */
    static Replica start(Path kubeconfig, String claims, String... more) {
        var replica = new Replica(kubeconfig, claims, more);
        replica.awaitReady();
        return replica;
    }

    private void awaitReady() {
        Await.until(START, () -> get("/readyz") == 200, () -> "the assigner is not ready: " + process.lastWords());
    }

    /** Dies without a word, and comes back at the same address. */
    void killAndRestart() {
        process.kill();
        process = GuardedProcess.start(command, log);
        awaitReady();
    }

    void kill() {
        process.kill();
    }

    private int get(String path) {
        try {
            return HTTP.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + uiPort + path))
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

    /** What the API server would get; throws when the connection breaks. */
    String mutate(String review) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mutate?timeout=30s"))
                                .header("Content-Type", "application/json")
                                .timeout(Duration.ofSeconds(60))
                                .POST(BodyPublishers.ofString(review))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    String lastWords() {
        return process.lastWords();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
