package dev.berth.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
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
import java.util.concurrent.TimeUnit;

/** A headless Chromium with an empty profile, until it is closed. */
public final class Browser implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final long INSTALL_MINUTES = 15;

    private final GuardedProcess process;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final int port;

    /** Why there is no browser; tests that need one are skipped then. */
    public static final class Unavailable extends Exception {
        Unavailable(String reason) {
            super(reason);
        }
    }

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
    public static Browser start() throws Unavailable {
        try {
            return new Browser(find());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path find() throws Unavailable, IOException {
        var script = E2eFolder.path().resolve("browser/find").toAbsolutePath();
        var output = Files.createTempFile("berth-browser", ".out");
        try {
            var search = new ProcessBuilder(script.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile())
                    .start();
            if (!search.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
                search.descendants().forEach(ProcessHandle::destroy);
                search.destroy();
                throw new Unavailable("it could not be installed within %d minutes".formatted(INSTALL_MINUTES));
            }
            if (search.exitValue() != 0) throw new Unavailable(script + " found none; its output says why");
            return Path.of(Files.readAllLines(output, UTF_8).getLast());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted");
        } finally {
            Files.delete(output);
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
