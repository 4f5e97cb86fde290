package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Ports;
import dev.berth.e2e.server.Programs;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/extender.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers
class ExtenderDocIT {
    private static final String NODE = "gpu-node-0";

    private final String port = String.valueOf(Ports.free());
    private final String debugPort = String.valueOf(Ports.free());
    private final List<Process> running = new ArrayList<>();

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(300)
    void theExtendersPagePrintsWhatItSays(Dialogue server) throws Exception {
        var page = Walkthrough.of("docs/extender.md", directory);
        assertThat(page.steps().size()).isGreaterThan(12);
        Files.copy(server.cluster().kubeconfig(), directory.resolve("kubeconfig"));
        prepare(server, page);
        try {
            for (var step : page.steps()) walk(page, step);
        } finally {
            stop();
            page.run("kubectl --kubeconfig kubeconfig delete events --all -n default");
        }
    }

    /** In place of "berth up": a node that is ready and has room, and the definition of the ledgers. */
    private static void prepare(Dialogue server, Walkthrough page) throws Exception {
        server.cleanUp("/api/v1/nodes/" + NODE);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + NODE);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/quota.default");
        server.cleanUp("/api/v1/namespaces/kube-system/configmaps/gpuquota");
        server.cleanUp("/api/v1/namespaces/default/pods/half");
        server.cleanUp("/api/v1/namespaces/default/pods/whole");
        server.quietly("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", NodeLedgerDefinition.yaml());
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
        server.quietly("POST", "/api/v1/nodes", """
                {apiVersion: v1, kind: Node, metadata: {name: %s},
                 status: {capacity: {cpu: "8", memory: 32Gi, pods: "110"}, allocatable: {cpu: "8", memory: 32Gi, pods: "110"},
                          conditions: [{type: Ready, status: "True"}]}}
                """.formatted(NODE));
        page.run("kubectl --kubeconfig kubeconfig taint nodes %s node.kubernetes.io/not-ready:NoSchedule-"
                .formatted(NODE));
    }

    private void walk(Walkthrough page, Walkthrough.Step step) throws Exception {
        var command = step.command();
        if (command.equals("./berth extender")) {
            var output = directory.resolve("extender.txt");
            running.add(page.start(
                    "exec ./berth extender --address=127.0.0.1:%s --pprofAddress=127.0.0.1:%s 2>extender.log"
                            .formatted(port, debugPort),
                    output));
            step.awaitPrinted(() -> Files.readString(output), this::normal);
        } else if (command.startsWith("kube-scheduler ")) {
            page.run("sed s/3456/%s/ examples/extender/scheduler.yaml >scheduler.yaml".formatted(port));
            running.add(page.start(
                    "exec %s --config scheduler.yaml --secure-port=0"
                            .formatted(Programs.find().path("kube-scheduler")),
                    directory.resolve("kube-scheduler.log")));
        } else if (command.startsWith("kubectl get") || command.startsWith("curl")) {
            // The reader types more slowly than events and ledgers are written.
            step.awaitPrinted(() -> page.run(command.replace("3456", port)), this::normal);
        } else {
            step.assertPrinted(page.run(command), this::normal);
        }
    }

    /** Ports and ages differ from run to run. */
    private String normal(String line) {
        return line.replace(port, "3456")
                .replace(debugPort, "3457")
                .replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)", "AGE")
                .replaceAll("\\s+", " ")
                .stripTrailing();
    }

    private void stop() throws InterruptedException {
        for (var process : running.reversed()) {
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS))
                    .as("it stops when asked")
                    .isTrue();
        }
    }
}
