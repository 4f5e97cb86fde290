package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/pinner.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers(controllers = true)
class PinnerDocIT {
    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(300)
    void thePinnersPagePrintsWhatItSays(Dialogue server) throws Exception {
        cleanUp(server);
        server.quietly("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", NodeLedgerDefinition.yaml());
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
        var page = Walkthrough.of("docs/pinner.md", directory);
        Files.copy(server.cluster().kubeconfig(), directory.resolve("kubeconfig"));
        assertThat(page.steps().size()).isGreaterThan(8);
        try (var _ = BerthProcess.start(
                directory.resolve("scheduler.log"),
                "places pods: scheduler=gpu-scheduler",
                "pinner",
                "scheduler",
                "--kubeconfig=" + directory.resolve("kubeconfig"),
                "--no-leader-elect",
                "--health-port=0",
                "--bind-address=127.0.0.1")) {
            for (var step : page.steps()) {
                step.assertPrinted(page.run(step.command()), String::stripTrailing);
                if (step.command().contains("apply -f examples/pinner/nodes.yaml")) markNodesReady(server);
            }
        }
    }

    private static void cleanUp(Dialogue server) {
        for (int i = 1; i <= 4; i++) {
            server.cleanUp("/api/v1/nodes/worker" + i);
            server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/worker" + i);
        }
        for (int i = 0; i <= 5; i++) {
            server.cleanUp("/api/v1/namespaces/default/pods/gpu-workload-" + i);
        }
        server.cleanUp("/apis/apps/v1/namespaces/default/statefulsets/gpu-workload");
    }

    /** A server marks new nodes as not ready until a controller has looked at them; here the test stands in for it. */
    private static void markNodesReady(Dialogue server) {
        for (int i = 1; i <= 4; i++) {
            server.quietly(server.request("PATCH", "/api/v1/nodes/worker" + i)
                    .type("application/merge-patch+json")
                    .body("{\"spec\": {\"taints\": null}}"));
        }
    }
}
