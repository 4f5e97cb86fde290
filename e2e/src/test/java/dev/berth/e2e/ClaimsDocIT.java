package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/claims.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers(controllers = true)
class ClaimsDocIT {
    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(300)
    void thePagePrintsWhatItSays(Dialogue server) throws Exception {
        for (var node : new String[] {"node-00", "node-01", "node-02", "node-1"}) {
            server.cleanUp("/api/v1/nodes/" + node);
            server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + node);
        }
        var page = Walkthrough.of("docs/claims.md", directory);
        Files.copy(server.cluster().kubeconfig(), directory.resolve("kubeconfig"));
        assertThat(page.steps().size()).isGreaterThan(15);
        for (var step : page.steps()) {
            step.assertPrinted(page.run(step.command()), ClaimsDocIT::normal);
            if (step.command().contains("apply -f examples/claims/nodes.yaml")) {
                markReady(page, "node-00", "node-01", "node-02");
            } else if (step.command().contains("apply -f examples/dra/node.yaml")) {
                markReady(page, "node-1");
            }
        }
    }

    /** A server marks new nodes as not ready until a controller has looked at them; here the test stands in for it. */
    private static void markReady(Walkthrough page, String... nodes) throws Exception {
        for (var node : nodes) {
            page.run("kubectl --kubeconfig kubeconfig patch node %s --type=merge -p '{\"spec\": {\"taints\": null}}'"
                    .formatted(node));
        }
    }

    /**
     * Ages and the names of claims that are made from templates differ from run to run, and kubectl's words for a
     * forced deletion from release to release.
     */
    private static String normal(String line) {
        return line.replaceAll("training-gpus-[a-z0-9]{5}\\b", "training-gpus-NAME")
                .replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)\\s*", "AGE ")
                .replaceAll("force deleted.*", "force deleted")
                .stripTrailing();
    }
}
