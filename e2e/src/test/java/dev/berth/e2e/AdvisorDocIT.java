package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/advisor.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers
class AdvisorDocIT {
    private static final List<String> NODES = List.of("gpu-node-0", "gpu-node-1");
    private static final String NAMESPACE = "gpu-workloads";

    private final String port = String.valueOf(Ports.free());
    private final String webhookPort = String.valueOf(Ports.free());

    @TempDir
    private Path directory = Path.of(".");

    private @Nullable Process agent;
    private final List<Process> running = new ArrayList<>();

    @Story
    @Timeout(300)
    void thePagePrintsWhatItSays(Dialogue server) throws Exception {
        var page = Walkthrough.of("docs/advisor.md", directory);
        assertThat(page.steps().size()).isGreaterThan(30);
        Files.copy(server.cluster().kubeconfig(), directory.resolve("kubeconfig"));
        prepare(server);
        try {
            for (var step : page.steps()) walk(page, step);
        } finally {
            for (var process : running.reversed()) stop(process);
        }
    }

    /** In place of "berth up": two nodes. */
    private static void prepare(Dialogue server) throws Exception {
        server.cleanUp("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/scheduler-webhook");
        for (var name : List.of("gpu-ultra", "gpu-high", "gpu-medium", "gpu-default")) {
            server.cleanUp("/apis/scheduling.k8s.io/v1/priorityclasses/" + name);
        }
        for (var pod : List.of("train", "plain", "unadvised")) {
            server.cleanUp("/api/v1/namespaces/%s/pods/%s".formatted(NAMESPACE, pod));
        }
        server.cleanUp("/api/v1/namespaces/" + NAMESPACE);
        for (var node : NODES) {
            server.cleanUp("/api/v1/nodes/" + node);
            server.quietly(
                    "POST", "/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(node));
        }
    }

    private void walk(Walkthrough page, Walkthrough.Step step) throws Exception {
        var command = here(step.command());
        if (command.contains("./berth advisor agent")) {
            agent = serve(page, step, command.replace("./berth", "exec ./berth") + " 2>agent.log", "agent.txt");
        } else if (command.contains("./berth advisor webhook")) {
            // Appended to, so that it can be emptied on the way.
            serve(page, step, "exec " + command.replace("2>", "2>>"), "webhook.txt");
        } else if (command.startsWith("kubectl apply -n gpu-workloads")) {
            awaitTheWebhook(page);
            step.assertPrinted(page.run(command), this::normal);
        } else if (command.startsWith("kubectl run unadvised")) {
            awaitTheWebhook(page);
            if (agent != null) stop(agent);
            step.assertPrinted(page.run(command), this::normal);
        } else if (command.startsWith("kubectl get events")) {
            step.awaitPrinted(() -> page.run(command + " || true"), this::normal);
        } else {
            step.assertPrinted(page.run(command), this::normal);
        }
    }

    private Process serve(Walkthrough page, Walkthrough.Step step, String command, String file) throws Exception {
        var output = directory.resolve(file);
        var process = page.start(command, output);
        running.add(process);
        step.awaitPrinted(() -> Files.readString(output), this::normal);
        return process;
    }

    /** Ports of our own. */
    private String here(String command) {
        return command.replace("8443", webhookPort)
                .replace("8080", port)
                .replace("webhook.yaml |", "webhook.yaml | sed s/8443/%s/ |".formatted(webhookPort));
    }

    /** A moment after it is stored the server follows it; the reader types more slowly than that. */
    private static void awaitTheWebhook(Walkthrough page) throws Exception {
        page.run("sed 's/name: train/name: probe/' examples/advisor/pod.yaml >probe.yaml;"
                + " echo '      limits: {nvidia.com/gpu: \"1\"}' >>probe.yaml;"
                + " for i in $(seq 100); do kubectl create -n gpu-workloads -f probe.yaml >/dev/null || exit 1;"
                + " found=$(kubectl get pod probe -n gpu-workloads -o yaml | grep -c chosen-gpu);"
                + " kubectl delete pod probe -n gpu-workloads --force --grace-period=0 >/dev/null 2>&1;"
                + " [ \"$found\" = 0 ] || { : >webhook.log; exit 0; }; sleep 0.2; done; exit 1");
    }

    /** Times and ports differ from run to run. */
    private String normal(String line) {
        return line.replace(webhookPort, "8443")
                .replace(port, "8080")
                .replaceAll("(decision-timestamp: \")\\d{10}\"", "$1TIME\"")
                .stripTrailing();
    }

    private static void stop(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS))
                .as("it stops when asked")
                .isTrue();
        assertThat(process.exitValue()).as("it stops cleanly").isZero();
    }
}
