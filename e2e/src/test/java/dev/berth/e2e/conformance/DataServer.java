package dev.berth.e2e.conformance;

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

/** {@code berth apiserver --data-dir}, as a user starts it. */
final class DataServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final GuardedProcess process;
    private final URI address;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private DataServer(GuardedProcess process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** @param directory its data lies in a folder {@code state} below it */
    static DataServer start(Path directory, String name) {
        int port = Ports.free();
        var process = GuardedProcess.start(
                List.of(
                        "env",
                        "BERTH_NO_BUILD=1",
                        E2eFolder.launcher().toString(),
                        "apiserver",
                        "--port=" + port,
                        "--data-dir=" + directory.resolve("state"),
                        "--write-kubeconfig=" + directory.resolve("kubeconfig")),
                E2eFolder.target("data-directory").resolve(name + ".log"));
        var server = new DataServer(process, URI.create("http://127.0.0.1:" + port));
        Await.until(PATIENCE, server::answers, process::lastWords);
        return server;
    }

    private boolean answers() {
        if (!process.alive()) throw new AssertionError("berth apiserver ended: " + process.lastWords());
        try {
            return send("GET", "/readyz", "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException {
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

    long pid() {
        return process.pid();
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        http.shutdownNow();
        process.close();
    }
}
