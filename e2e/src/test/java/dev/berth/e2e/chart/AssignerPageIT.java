package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.browser.Page;
import dev.berth.e2e.browser.SharedBrowser;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of a running assigner: what the cluster does is seen there, without reloading. */
@OnBothServers(controllers = true)
class AssignerPageIT {
    private static final String A100 = "fudo.org/gpu.a100";

    @RegisterExtension
    static final SharedBrowser BROWSER = new SharedBrowser();

    @Story
    @Timeout(300)
    void admissionsAndTheirEndsAreSeenAtOnce(Dialogue server, Cluster cluster) {
        try (var release = AssignerRelease.install(cluster, server.namespace(), "replicas=1");
                var page = BROWSER.page(1200, 800)) {
            page.open(release.page()).await("document.getElementById('connection').textContent === 'live'");
            assertThat(page.text("document.getElementById('devices').innerText"))
                    .isEqualTo("No devices discovered.");
            page.evaluate("window.sameDocument = true");

            for (var node : List.of("alpha", "beta")) {
                release.addNode(server.namespace() + "-" + node, gpus(node));
            }
            page.await("document.querySelectorAll('#devices tr[data-device]').length === 8");

            var pod = release.createGpuPod("train-0", A100);
            var device = Objects.requireNonNull(AssignerRelease.annotation(pod, "fudo.org/gpu.uuid"));
            awaitStatus(page, device, "assigned");
            assertThat(row(page, device)).contains(release.workNamespace() + "/train-0");
            release.createGpuPod("train-1", A100);
            page.await("document.querySelectorAll('#devices .status.assigned').length === 2");
            page.type("#label", "a100").await("document.querySelectorAll('#devices tr:not([hidden])').length === 4");
            page.type("#label", "");
            page.evaluate("document.activeElement.blur()");
            page.screenshot(E2eFolder.kept("screenshots/assigner-" + cluster.name() + ".png"));

            release.remove(pod);
            awaitStatus(page, device, "available");
            assertThat(page.evaluate("window.sameDocument").asBoolean()).isTrue();
            assertThat(page.problems()).isEmpty();
        }
    }

    private static Map<String, List<String>> gpus(String node) {
        var gpus = new TreeMap<String, List<String>>();
        IntStream.range(0, 4)
                .forEach(i -> gpus.put(
                        "GPU-" + node + "-" + i,
                        node.equals("alpha")
                                ? List.of(A100, "fudo.org/gpu.vram.80g")
                                : List.of("fudo.org/gpu.h100", "fudo.org/gpu.vram.80g")));
        return gpus;
    }

    private static void awaitStatus(Page page, String device, String status) {
        page.await("document.querySelector('[data-device=\"%s\"] .status').textContent === '%s'"
                .formatted(device, status));
    }

    private static String row(Page page, String device) {
        return page.text("document.querySelector('[data-device=\"%s\"]').innerText".formatted(device));
    }
}
