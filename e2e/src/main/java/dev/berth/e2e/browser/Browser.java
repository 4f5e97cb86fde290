package dev.berth.e2e.browser;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.SystemPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A headless Chromium with an empty profile, until it is closed. */
public final class Browser implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final GuardedProcess process;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final int port;

    private Browser(Path program) throws IOException {
        var profile = Files.createTempDirectory(Files.createDirectories(E2eFolder.target("browser")), "profile-");
        process = GuardedProcess.start(
                List.of(
                        program.toString(),
                        "--headless=new",
                        // Root has no sandbox; what is looked at here are our own pages.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank"),
                profile.resolveSibling(profile.getFileName() + ".log"));
        var file = profile.resolve("DevToolsActivePort");
        Await.until(START, () -> !process.alive() || complete(file), process::lastWords);
        if (!process.alive()) throw new IllegalStateException("the browser ended: " + process.lastWords());
        port = Integer.parseInt(Files.readAllLines(file).getFirst());
    }

    private static boolean complete(Path file) {
        try {
            return Files.exists(file) && Files.readAllLines(file).size() >= 2;
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the system's Chromium; installs it first where that is possible. */
    public static Browser start() throws SystemPart.Unavailable {
        try {
            return new Browser(SystemPart.find("browser/find"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new tab. */
    public Page newPage() {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/json/new?about:blank".formatted(port)))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            var answer = new ObjectMapper()
                    .readTree(http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
            return new Page(http, URI.create(answer.path("webSocketDebuggerUrl").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        process.close();
    }
}
