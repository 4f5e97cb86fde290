package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/assigner.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers
class AssignerDocIT {
    private static final String NODE = "gpu-node-0";

    private final String port = String.valueOf(Ports.free());
    private final String uiPort = String.valueOf(Ports.free());

    @TempDir
    private Path directory = Path.of(".");

    private @Nullable Process assigner;

    @Story
    @Timeout(300)
    void thePagePrintsWhatItSays(Dialogue server) throws Exception {
        var page = Walkthrough.of("docs/assigner.md", directory);
        assertThat(page.steps().size()).isGreaterThan(10);
        Files.copy(server.cluster().kubeconfig(), directory.resolve("kubeconfig"));
        prepare(server, page);
        try {
            for (var step : page.steps()) walk(page, step);
        } finally {
            stop();
        }
    }

    /** In place of "berth up": a node that is ready, and the definition of the ledgers. */
    private static void prepare(Dialogue server, Walkthrough page) throws Exception {
        server.cleanUp("/api/v1/nodes/" + NODE);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + NODE);
        server.cleanUp("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/assigner");
        server.cleanUp("/api/v1/namespaces/default/pods/train");
        server.cleanUp("/apis/coordination.k8s.io/v1/namespaces/gpu-claims/leases/gpu-1");
        server.quietly("POST", "/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(NODE));
        page.run("kubectl --kubeconfig kubeconfig taint nodes %s node.kubernetes.io/not-ready:NoSchedule-"
                .formatted(NODE));
        try (var connection = dev.berth.kube.Cluster.connect(
                ConnectionSettings.of(Optional.of(server.cluster().kubeconfig()), Optional.empty()))) {
            NodeLedgerDefinition.install(connection);
        }
    }

    private void walk(Walkthrough page, Walkthrough.Step step) throws Exception {
        var command = here(step.command());
        if (command.startsWith("./berth assigner --")) {
            var output = directory.resolve("assigner.txt");
            assigner = page.start("exec " + command + " 2>assigner.log", output);
            step.awaitPrinted(() -> Files.readString(output), this::normal);
        } else if (command.startsWith("kubectl run train")) {
            awaitTheWebhook(page);
            step.assertPrinted(page.run(command), this::normal);
        } else if (command.startsWith("kubectl get leases") || command.startsWith("kubectl get nodeledgers")) {
            step.awaitPrinted(() -> page.run(command), this::normal);
        } else {
            step.assertPrinted(page.run(command), this::normal);
        }
    }

    /** Ports of our own; no kubelet runs here that would end a pod; a refusal is a failure that is expected. */
    private String here(String command) {
        return command.replace("8443", port)
                .replace("8080", uiPort)
                .replace("webhook.yaml |", "webhook.yaml | sed s/8443/%s/ |".formatted(port))
                .replaceFirst("^kubectl delete pod (.*)", "kubectl delete pod $1 --force --grace-period=0 2>/dev/null")
                .replaceFirst("^kubectl run greedy (.*)", "kubectl run greedy $1 && exit 9 || true");
    }

    /** A moment after it is stored the server follows it; the reader types more slowly than that. */
    private static void awaitTheWebhook(Walkthrough page) throws Exception {
        page.run("while kubectl run probe --image=example --labels=fudo.org/gpu.none=true;"
                + " do kubectl delete pod probe --force --grace-period=0; sleep 0.2; done");
    }

    /** Ids, ages and ports differ from run to run, and kubectl's words for a deletion from release to release. */
    private String normal(String line) {
        return line.replace(port, "8443")
                .replace(uiPort, "8080")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID")
                .replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)\\s*", "AGE ")
                .replaceAll("(force )?deleted.*", "deleted")
                .stripTrailing();
    }

    private void stop() throws InterruptedException {
        var running = assigner;
        if (running == null) return;
        running.destroy();
        assertThat(running.waitFor(20, TimeUnit.SECONDS))
                .as("the assigner stops when asked")
                .isTrue();
        assertThat(running.exitValue()).as("it stops cleanly").isZero();
    }
}
