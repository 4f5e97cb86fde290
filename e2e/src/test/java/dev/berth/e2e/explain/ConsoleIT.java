package dev.berth.e2e.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.browser.Axe;
import dev.berth.e2e.browser.Page;
import dev.berth.e2e.browser.SharedBrowser;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, over a cluster on which things happen. */
@OnBothServers
class ConsoleIT {
    private static final String CORES = "tencent.com/vcuda-core";
    private static final String MEMORY = "tencent.com/vcuda-memory";
    private static final Pattern ADDRESS = Pattern.compile("The console is at (\\S+)");

    @RegisterExtension
    static final SharedBrowser BROWSER = new SharedBrowser();

    @TempDir
    private Path folder = Path.of(".");

    private static Page page() {
        return BROWSER.page(1200, 900);
    }

    private GuardedProcess console(Dialogue server, Path log, String... more) {
        var arguments = new ArrayList<>(List.of(
                "console",
                "--port",
                "0",
                "--kubeconfig",
                server.cluster().kubeconfig().toString()));
        arguments.addAll(List.of(more));
        return BerthProcess.start(log, "The console is at", arguments.toArray(String[]::new));
    }

    private static String address(Path log) throws IOException {
        var found = ADDRESS.matcher(Files.readString(log));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Story
    @Timeout(300)
    void whatHappensInTheClusterIsSeenWithoutReloading(Dialogue server) throws IOException {
        var axe = Axe.orSkip();
        var stage = new ExplainStage(server, folder);
        stage.node("console-a", Map.of(CORES, "200", MEMORY, "64"), ", gaia.tencent.com/gpu-model: M40}");
        stage.node("console-b", Map.of("nvidia.com/gpu", "2"), ", nvidia.com/gpu.product: NVIDIA-T4}");
        stage.pod(
                "holder", "console-a", ", annotations: {tencent.com/predicate-gpu-idx-0: \"0\"}", CORES + ": \"100\"");
        stage.pod(
                "part",
                "console-a",
                ", annotations: {tencent.com/predicate-gpu-idx-0: \"1\"}",
                CORES + ": 40, " + MEMORY + ": 8");
        var log = folder.resolve("console.log");
        try (var _ = console(server, log);
                var page = page()) {
            var address = address(log);
            page.open(address).await("document.getElementById('connection').textContent === 'live'");
            page.evaluate("window.sameDocument = true");
            page.await("document.querySelectorAll('#nodes .node').length >= 2");
            var cell = "document.querySelector('[href=\"#/device/console-a/1\"]')";
            assertThat(page.text(cell + ".getAttribute('aria-label')"))
                    .isEqualTo("1, M40: 40 %% held by %s/part (40 cores, 8 memory, extender)"
                            .formatted(server.namespace()));
            assertThat(axe.violations(page)).isEmpty();
            page.screenshot(E2eFolder.kept(
                    "screenshots/console-%s.png".formatted(server.cluster().name())));

            stage.pod("waiting", "", "", CORES + ": \"100\"");
            page.open(address + "#/waiting")
                    .await("document.body.innerText.includes('%s/waiting')".formatted(server.namespace()));
            page.await("document.body.innerText.includes('Nearest: console-a: wants 1 whole GPU, 0 of 2 untouched')");
            assertThat(page.text("document.body.innerText")).contains("Would help: free 1 GPU on console-a");
            assertThat(axe.violations(page)).isEmpty();
            page.screenshot(E2eFolder.kept("screenshots/console-waiting.png"));

            page.open(address + "#/pod/" + server.namespace() + "/holder")
                    .await("document.body.innerText.includes('What it holds')");
            assertThat(axe.violations(page)).isEmpty();

            page.open(address + "#/device/console-a/0").await("document.body.innerText.includes('Who held it since')");
            page.await("document.querySelectorAll('#device td').length >= 4");
            stage.sent("DELETE", "/api/v1/namespaces/{ns}/pods/holder", "{gracePeriodSeconds: 0}");
            page.await("document.getElementById('device').innerText.includes('free')");
            page.await("document.body.innerText.includes('nobody')");
            assertThat(axe.violations(page)).isEmpty();

            page.open(address + "#/quota")
                    .await("document.body.innerText.includes('%s')".formatted(server.namespace()));
            assertThat(axe.violations(page)).isEmpty();
            page.open(address + "#/trends").await("document.querySelectorAll('svg.plot').length === 3");
            assertThat(axe.violations(page)).isEmpty();

            page.size(390, 844)
                    .dark(true)
                    .open(address + "#/")
                    .await("document.querySelectorAll('#nodes .node').length >= 2");
            assertThat(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
                            .asBoolean())
                    .isTrue();
            assertThat(axe.violations(page)).isEmpty();
            page.screenshot(E2eFolder.kept("screenshots/console-phone.png"));
            assertThat(page.evaluate("window.sameDocument").asBoolean())
                    .as("never loaded again")
                    .isTrue();
            assertThat(page.problems()).isEmpty();
            assertThat(page.requests()).allMatch(url -> url.startsWith(address));
        }
    }

    @Story
    @Timeout(180)
    void whereOthersCanReadItATokenIsAskedFor(Dialogue server) throws Exception {
        var open = BerthProcess.run(
                "console",
                "--port",
                "0",
                "--bind-address",
                "0.0.0.0",
                "--kubeconfig",
                server.cluster().kubeconfig().toString());
        assertThat(open.exit()).isEqualTo(2);
        assertThat(open.err()).contains("give --token-file or --proxy-user-header");

        var token = Files.writeString(folder.resolve("token"), "s3cret\n");
        var log = folder.resolve("console.log");
        try (var _ = console(server, log, "--token-file", token.toString(), "--proxy-user-header", "X-User");
                var page = page();
                var http = HttpClient.newHttpClient()) {
            var rows = URI.create(address(log) + "api/rows");
            assertThat(status(http, HttpRequest.newBuilder(rows))).isEqualTo(401);
            assertThat(status(http, HttpRequest.newBuilder(rows).header("Authorization", "Bearer wrong")))
                    .isEqualTo(401);
            assertThat(status(http, HttpRequest.newBuilder(rows).header("Authorization", "Bearer s3cret")))
                    .isEqualTo(200);
            assertThat(status(http, HttpRequest.newBuilder(rows).header("X-User", "ada")))
                    .isEqualTo(200);

            page.open(address(log)).await("document.getElementById('login').open");
            page.type("#token", "s3cret").click("#login button");
            page.await("document.getElementById('connection').textContent === 'live'");
        }
    }

    private static int status(HttpClient http, HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
