package dev.berth.e2e.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A cluster with the four priority classes, in which the API server asks the advisor about pods of one namespace. */
final class AdvisorStage {
    static final String PODS = "/api/v1/namespaces/{ns}/pods";
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, Integer> PRIORITIES =
            Map.of("gpu-ultra", 1000, "gpu-high", 750, "gpu-medium", 500, "gpu-default", 250);

    private final Dialogue server;
    private final Path certificates;

    AdvisorStage(Dialogue server, Path certificates) {
        this.server = server;
        this.certificates = certificates;
        PRIORITIES.forEach((name, value) -> {
            server.cleanUp(CLASSES + "/" + name);
            expect(
                    server.quietly("POST", CLASSES, "metadata: {name: %s}\nvalue: %d".formatted(name, value))
                            .code(),
                    201);
        });
    }

    /** A node with a type of GPU. */
    void node(String name, String type) {
        server.cleanUp("/api/v1/nodes/" + name);
        expect(
                server.quietly(
                                "POST",
                                "/api/v1/nodes",
                                "metadata: {name: %s, labels: {gpu.nvidia.com/class: %s}}".formatted(name, type))
                        .code(),
                201);
    }

    /** Takes one of the classes away. */
    void dropClass(String name) {
        expect(server.quietly("DELETE", CLASSES + "/" + name, "").code(), 200);
    }

    /** The webhook as a process; when this returns, the API server asks it about this namespace. */
    GuardedProcess webhook(String agent, String namespace) {
        return serving(Map.of("SCHEDULER_URL", agent), namespace, "webhook");
    }

    /** Agent, webhook and observer as one process, which the API server asks about this story's namespace. */
    GuardedProcess all(Path database, int port) {
        return serving(
                Map.of("SCHEDULER_SQLITE_PATH", database.toString()),
                server.namespace(),
                "all",
                "--observe",
                "--port=" + port);
    }

    private GuardedProcess serving(Map<String, String> environment, String namespace, String command, String... more) {
        var made = BerthProcess.run("certs", "--service=advisor", "--host=127.0.0.1", "--out=" + certificates);
        assertThat(made.exit()).as(made.err()).isZero();
        int port = Ports.free();
        var arguments = new ArrayList<>(List.of(
                "--bind-address=127.0.0.1",
                "--webhook-port=" + port,
                "--tls-cert=" + certificates.resolve("tls.crt"),
                "--tls-key=" + certificates.resolve("tls.key")));
        arguments.addAll(List.of(more));
        var process = start(environment, "webhook        https://", command, arguments.toArray(String[]::new));
        register(port, namespace);
        return process;
    }

    /** The agent as a process. */
    GuardedProcess agent(Path database, int port) {
        return BerthProcess.start(
                log("agent"),
                Map.of("SCHEDULER_SQLITE_PATH", database.toString()),
                "advisor agent",
                "advisor",
                "agent",
                "--bind-address=127.0.0.1",
                "--port=" + port);
    }

    /** A command of the advisor as a process that knows this cluster. */
    GuardedProcess start(Map<String, String> environment, String words, String command, String... more) {
        var arguments = new ArrayList<>(
                List.of("advisor", command, "--kubeconfig=" + server.cluster().kubeconfig()));
        arguments.addAll(List.of(more));
        return BerthProcess.start(log(command), environment, words, arguments.toArray(String[]::new));
    }

    private Path log(String command) {
        return E2eFolder.target("advisor")
                .resolve("%s-%s-%s-%d.log"
                        .formatted(command, server.namespace(), server.cluster().name(), System.nanoTime()));
    }

    private void register(int port, String namespace) {
        var name = "advisor-" + server.namespace();
        server.cleanUp(CONFIGURATIONS + "/" + name);
        var stored = server.quietly("POST", CONFIGURATIONS, """
                metadata: {name: %s}
                webhooks:
                - name: gpu-scheduler.radix.ai
                  sideEffects: None
                  failurePolicy: Ignore
                  timeoutSeconds: 10
                  admissionReviewVersions: [v1, v1beta1]
                  clientConfig: {url: "https://127.0.0.1:%d/mutate", caBundle: %s}
                  namespaceSelector:
                    matchLabels: {kubernetes.io/metadata.name: %s, scheduler.radix.ai/enabled: "true"}
                  rules:
                  - {operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
                  - {operations: [CREATE, UPDATE], apiGroups: [batch], apiVersions: [v1], resources: [jobs]}
                """.formatted(name, port, authority(), namespace));
        assertThat(stored.code()).as(stored.text()).isEqualTo(201);
    }

    private String authority() {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(certificates.resolve("ca.crt")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on this story's namespace is the advisor's business; returns when pods get advice with a class. */
    void enable() {
        var enabled = server.quietly(server.request("PATCH", "/api/v1/namespaces/{ns}")
                .type("application/merge-patch+json")
                .body("{\"metadata\": {\"labels\": {\"scheduler.radix.ai/enabled\": \"true\"}}}"));
        expect(enabled.code(), 200);
        Await.until(
                PATIENCE,
                () -> {
                    var probe = create("probe", "");
                    server.quietly("DELETE", PODS + "/probe?gracePeriodSeconds=0", "");
                    return probe.at("/spec/priorityClassName").asText().startsWith("gpu-");
                },
                () -> "no pod gets advice");
    }

    /** A pod of train-bert that wants a GPU, with more in its spec, as the API server made it. */
    JsonNode create(String name, String spec) {
        return create(name, spec, "train-bert");
    }

    JsonNode create(String name, String spec, String type) {
        var answer = server.quietly("POST", PODS, pod(name, spec).replace("train-bert", type));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
        return answer.body();
    }

    static String pod(String name, String spec) {
        return """
                metadata: {name: %s, annotations: {app.kubernetes.io/job-type: train-bert}}
                spec:
                  containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]
                """.formatted(name) + spec.indent(2);
    }

    JsonNode read(String pod) {
        return server.quietly("GET", PODS + "/" + pod, "").body();
    }

    /** Sets what a kubelet would; YAML. */
    void status(String pod, String status) {
        var answer = server.quietly(server.request("PATCH", PODS + "/" + pod + "/status")
                .json(status)
                .type("application/merge-patch+json"));
        assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    }

    private static void expect(int code, int wanted) {
        assertThat(code).isEqualTo(wanted);
    }
}
