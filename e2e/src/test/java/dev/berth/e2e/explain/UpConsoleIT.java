package dev.berth.e2e.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.browser.Axe;
import dev.berth.e2e.browser.BrowserOrSkip;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code berth up} shows of the README's tour: a pod through each door, and one that fits nowhere. */
class UpConsoleIT {
    private static final Pattern ADDRESS = Pattern.compile("console +(http\\S+)");
    private static final Path EXAMPLES =
            E2eFolder.path().toAbsolutePath().normalize().resolveSibling("examples");
    private static final String LABELS =
            "[...document.querySelectorAll('.cell')].map(cell => cell.getAttribute('aria-label')).join('\\n')";

    private static final Pattern AGENT = Pattern.compile("advisor +.* (http://127\\.0\\.0\\.1:\\d+/)");

    @TempDir
    private Path folder = Path.of(".");

    @Test
    @Timeout(240)
    void thePodsOfTheTourAreSeenWithTheirDoorsAndTheOneThatWaitsWithItsReason() throws IOException {
        var axe = Axe.orSkip();
        var log = folder.resolve("up.log");
        var kubeconfig = folder.resolve("kubeconfig");
        try (var browser = BrowserOrSkip.start();
                var _ = BerthProcess.start(log, "Ctrl-C stops it.", "up", "--write-kubeconfig", kubeconfig.toString());
                var client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                        .build();
                var page = browser.newPage().size(1200, 760).dark(false)) {
            var found = ADDRESS.matcher(Files.readString(log));
            assertThat(found.find()).isTrue();
            var address = found.group(1);
            page.open(address).await("document.querySelectorAll('#nodes .node').length === 4");
            assertThat(page.evaluate("document.querySelectorAll('.cell').length")
                            .asInt())
                    .as("each GPU once, whatever doors call it")
                    .isEqualTo(32);

            try (var files = Files.list(EXAMPLES.resolve("tour"))) {
                files.sorted().forEach(file -> apply(client, file));
            }
            for (var held : new String[] {
                "default/assigned (whole, assigner",
                "default/shared (50 cores, 16 memory, extender",
                "default/pinned-0 (whole, pinner",
                "default/claiming (whole, claims"
            }) {
                page.await("%s.includes('%s')".formatted(LABELS, held));
            }
            page.await("document.body.innerText.includes('default/plain has 2 by number')");
            page.await("!%s.includes('assumed')".formatted(LABELS));
            page.screenshot(E2eFolder.kept("screenshots/console-up.png"));

            apply(client, EXAMPLES.resolve("too-large.yaml"));
            page.open(address + "#/waiting").await("document.body.innerText.includes('default/too-large')");
            page.await("document.body.innerText.includes('4 nodes: Insufficient nvidia.com/gpu')");
            assertThat(axe.violations(page)).isEmpty();
            page.open(address + "#/pod/default/shared").await("document.body.innerText.includes('What it holds')");
            assertThat(page.text("document.body.innerText")).contains("the best of 1 by the policy pack");
            assertThat(axe.violations(page)).isEmpty();
            page.screenshot(E2eFolder.kept("screenshots/console-pod.png"));
            page.click("#pod td a").await("document.body.innerText.includes('Who holds it')");
            assertThat(page.text("document.body.innerText"))
                    .contains("also called")
                    .contains("cores: 50 %")
                    .contains("memory: 18 %");

            page.open(address + "#/advisor");
            learn(log, "A100-40GB", 60);
            learn(log, "T4-16GB", 240);
            page.await("document.querySelectorAll('[aria-label*=\"long bert\"] polyline').length === 2");
            assertThat(page.text("document.body.innerText")).contains("T4-16GB").contains("4 min");
            assertThat(axe.violations(page)).isEmpty();
            page.screenshot(E2eFolder.kept("screenshots/console-advisor.png"));
            assertThat(page.problems()).isEmpty();
        }
    }

    /** Tells the advisor's agent of runs that ended. */
    private static void learn(Path log, String gpu, int seconds) throws IOException {
        var agent = AGENT.matcher(Files.readString(log));
        assertThat(agent.find()).isTrue();
        try (var http = HttpClient.newHttpClient()) {
            for (int run = 0; run < 3; run++) {
                var answer = http.send(
                        HttpRequest.newBuilder(URI.create(agent.group(1) + "v1/observe"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"job_type\": \"bert\", \"gpu_type\": \"%s\", \"measured_runtime_s\": %d}"
                                                .formatted(gpu, seconds + run)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void apply(KubernetesClient client, Path file) {
        try (var in = Files.newInputStream(file)) {
            client.load(in)
                    .items()
                    .forEach(
                            item -> client.resource(item).inNamespace("default").create());
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }
}
