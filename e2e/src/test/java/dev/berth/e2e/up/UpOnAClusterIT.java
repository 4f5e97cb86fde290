package dev.berth.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;

/**
 * {@code berth up --kubeconfig}: one process opens every door on a cluster of the user's, and leaves no webhook behind.
 */
@OnBothServers
class UpOnAClusterIT {
    private static final String NODE = "up-node";
    private static final String PODS = "/api/v1/namespaces/{ns}/pods";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String GROUP = "/apis/devmgmtproto.k8s.io/v1alpha1";
    private static final List<String> REGISTERED = List.of("berth-up-assigner", "berth-up-advisor", "berth-up-pinner");

    @Story
    @Timeout(300)
    void eachDoorPlacesItsPod(Dialogue server) {
        prepare(server);
        try (var up = start(server, "--default-scheduler")) {
            devices(server);
            for (var webhook : REGISTERED) {
                server.await(WEBHOOKS + "/" + webhook, found -> found.has("webhooks"));
            }
            awaitTheWebhooks(server);

            pod(server, "plain", "", "", "resources: {limits: {nvidia.com/gpu: 1}}");
            pod(server, "assigned", "", "labels: {fudo.org/gpu.a100: \"true\"}", "");
            pod(
                    server,
                    "shared",
                    "gpu-admission-scheduler",
                    "",
                    "resources: {limits: {tencent.com/vcuda-core: 50, tencent.com/vcuda-memory: 16}}");
            pod(
                    server,
                    "advised",
                    "",
                    "annotations: {app.kubernetes.io/job-type: train-bert}",
                    "resources: {limits: {nvidia.com/gpu: 1}}");
            pod(
                    server,
                    "pinned-0",
                    "gpu-scheduler",
                    "annotations: {gpu-scheduling-map: \"0=up-node:3\"}, labels: {apps.kubernetes.io/pod-index: \"0\"}",
                    "");
            pod(
                    server,
                    "claiming",
                    "berth",
                    "annotations: {devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"up-gpu\"}]}}'}",
                    "");

            for (var name : List.of("plain", "assigned", "shared", "advised", "pinned-0", "claiming")) {
                var placed = server.await(
                        PODS + "/" + name,
                        pod -> !pod.at("/spec/nodeName").asText().isEmpty());
                assertThat(placed.at("/spec/nodeName").asText()).as(name).isEqualTo(NODE);
            }
            assertThat(annotation(server, "assigned", "fudo.org/gpu.uuid")).isEqualTo("GPU-up-1");
            assertThat(annotation(server, "shared", "tencent.com/predicate-gpu-idx-0"))
                    .isEqualTo("0");
            assertThat(annotation(server, "advised", "scheduler.radix.ai/chosen-gpu"))
                    .isEqualTo("A100-40GB");
            assertThat(annotation(server, "pinned-0", "berth.dev/pinned-gpus")).isEqualTo("3");
            assertThat(up.alive()).as(up.lastWords()).isTrue();
        }
        for (var webhook : REGISTERED) {
            assertThat(server.quietly("GET", WEBHOOKS + "/" + webhook, "").code())
                    .as(webhook)
                    .isEqualTo(404);
        }
    }

    @Story
    void theDefaultSchedulersPodsAreLeftToIt(Dialogue server) {
        prepare(server);
        try (var up = start(server)) {
            pod(server, "waiting", "", "", "resources: {limits: {nvidia.com/gpu: 1}}");
            pod(
                    server,
                    "shared",
                    "gpu-admission-scheduler",
                    "",
                    "resources: {limits: {tencent.com/vcuda-core: 50, tencent.com/vcuda-memory: 16}}");
            server.await(
                    PODS + "/shared", pod -> !pod.at("/spec/nodeName").asText().isEmpty());

            var waiting = server.quietly("GET", PODS + "/waiting", "").body();

            assertThat(waiting.at("/spec/nodeName").asText()).as(up.lastWords()).isEmpty();
            assertThat(waiting.at("/status/conditions").toString()).doesNotContain("Unschedulable");
        }
    }

    private static GuardedProcess start(Dialogue server, String... more) {
        var arguments = new ArrayList<>(
                List.of("up", "--kubeconfig=" + server.cluster().kubeconfig(), "--webhook-address=127.0.0.1"));
        arguments.addAll(List.of(more));
        return BerthProcess.start(
                E2eFolder.target("up")
                        .resolve("%s-%s.log"
                                .formatted(server.namespace(), server.cluster().name())),
                "Ctrl-C stops it.",
                arguments.toArray(String[]::new));
    }

    /** A Ready node that publishes eight GPUs in every door's way, and a namespace that wants advice. */
    private static void prepare(Dialogue server) {
        server.cleanUp("/api/v1/nodes/" + NODE);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + NODE);
        server.cleanUp("/apis/coordination.k8s.io/v1/namespaces/gpu-claims/leases/gpu-up-1");
        REGISTERED.forEach(webhook -> server.cleanUp(WEBHOOKS + "/" + webhook));
        var labels = Base64.getEncoder()
                .encodeToString("{\"GPU-up-1\": [\"fudo.org/gpu.a100\"]}".getBytes(StandardCharsets.UTF_8));
        var uuids = IntStream.range(0, 8).mapToObj(index -> "GPU-up-" + index).collect(Collectors.joining(","));
        var amounts =
                "{cpu: \"64\", memory: 64Gi, pods: \"110\", nvidia.com/gpu: \"8\", tencent.com/vcuda-core: \"800\", tencent.com/vcuda-memory: \"1280\"}";
        server.quietly("POST", "/api/v1/nodes", """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  labels: {gpu.nvidia.com/class: A100-40GB}
                  annotations: {fudo.org/gpu.device.labels: "%s", berth.dev/gpu-uuids: "%s"}
                status:
                  capacity: %s
                  allocatable: %s
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(NODE, labels, uuids, amounts, amounts));
        server.quietly(server.request("PATCH", "/api/v1/nodes/" + NODE)
                .type("application/merge-patch+json")
                .body("{\"spec\": {\"taints\": null}}"));
        server.quietly(server.request("PATCH", "/api/v1/namespaces/{ns}")
                .type("application/merge-patch+json")
                .body("{\"metadata\": {\"labels\": {\"scheduler.radix.ai/enabled\": \"true\"}}}"));
    }

    /** What a driver and an administrator publish, once the kinds are there. */
    private static void devices(Dialogue server) {
        server.cleanUp(GROUP + "/devicepools/up-node-gpus");
        server.cleanUp(GROUP + "/deviceclasses/up-gpu");
        server.quietly("POST", GROUP + "/devicepools", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DevicePool
                metadata: {name: up-node-gpus}
                spec: {driver: up-driver, nodeName: %s, devices: [%s, %s]}
                """.formatted(NODE, device(4), device(5)));
        server.quietly("POST", GROUP + "/deviceclasses", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: up-gpu}
                spec: {definition: {driver: up-driver}}
                """);
    }

    private static String device(int index) {
        return "{name: gpu-%d, attributes: [{name: uuid, stringValue: GPU-up-%d}]}".formatted(index, index);
    }

    private static void awaitTheWebhooks(Dialogue server) {
        // The assigner denies what nobody has: once it does, the server has read all three.
        server.await("/api/v1/nodes/" + NODE, _ -> {
            var answer = server.quietly("POST", PODS, """
                    metadata: {generateName: probe-, labels: {fudo.org/gpu.none: "true"}}
                    spec: {schedulerName: nobody, containers: [{name: main, image: none}]}
                    """);
            return answer.code() == 429;
        });
    }

    /** @param scheduler empty for none that is named */
    private static void pod(Dialogue server, String name, String scheduler, String metadata, String container) {
        var answer = server.quietly("POST", PODS, """
                metadata: {name: %s%s}
                spec: {%s containers: [{name: main, image: none%s}]}
                """.formatted(
                        name,
                        metadata.isEmpty() ? "" : ", " + metadata,
                        scheduler.isEmpty() ? "" : "schedulerName: " + scheduler + ",",
                        container.isEmpty() ? "" : ", " + container));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    }

    private static String annotation(Dialogue server, String pod, String key) {
        return server.quietly("GET", PODS + "/" + pod, "")
                .body()
                .path("metadata")
                .path("annotations")
                .path(key)
                .asText();
    }
}
