package dev.berth.e2e.assigner;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

    private Replica(Map<String, String> environment, Path kubeconfig, String claims, List<String> more) {
        this.port = Ports.free();
        this.uiPort = Ports.free();
        this.log = E2eFolder.target("assigner/%s-%d.log".formatted(claims, port));
        this.command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(
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
                "--port=" + port,
                "--ui-port=" + uiPort,
                "--claims-namespace=" + claims,
                "--log-level=info"));
        command.addAll(more);
        this.process = GuardedProcess.start(command, log);
    }

    /** Starts one and waits until it is ready. */
    static Replica start(Path kubeconfig, String claims, String... more) {
        return start(Map.of(), kubeconfig, claims, more);
    }

    /** @param environment variables that it finds beside ours */
    static Replica start(Map<String, String> environment, Path kubeconfig, String claims, String... more) {
        var flags = new ArrayList<>(List.of("--insecure-http"));
        flags.addAll(List.of(more));
        return ready(new Replica(environment, kubeconfig, claims, flags));
    }

    /** One that the API server itself can ask: it serves HTTPS with the certificate in this folder. */
    static Replica secure(Path kubeconfig, String claims, Path certificates) {
        return ready(new Replica(
                Map.of(),
                kubeconfig,
                claims,
                List.of(
                        "--tls-cert=" + certificates.resolve("tls.crt"),
                        "--tls-key=" + certificates.resolve("tls.key"))));
    }

    private static Replica ready(Replica replica) {
        replica.awaitReady();
        return replica;
    }

    int port() {
        return port;
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

    /** The value of a metric: the sum over its labels, 0 for one that was never counted. */
    double metric(String name) {
        try {
            return page("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.matches(name + "(\\{.*)? .*"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private int get(String path) {
        try {
            return page(path).statusCode();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private HttpResponse<String> page(String path) throws IOException {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + uiPort + path))
                            .timeout(Duration.ofSeconds(5))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
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

    @Override
    public void close() {
        process.close();
    }
}
