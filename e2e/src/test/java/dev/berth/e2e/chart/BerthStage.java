package dev.berth.e2e.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.story.Answer;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/** A node for each door, and a namespace whose pods go through them. */
record BerthStage(Dialogue server) {
    static final String READERS = "readers";
    static final String TOKEN = "for-readers-only";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEVICES = "/apis/devmgmtproto.k8s.io/v1alpha1";
    private static final String LEDGERS = "/apis/berth.dev/v1alpha1/nodeledgers";

    static BerthStage of(Dialogue server) {
        var stage = new BerthStage(server);
        ClaimDefinitions.yaml().forEach(each -> server.quietly("POST", DEFINITIONS, each));
        server.quietly("POST", DEFINITIONS, NodeLedgerDefinition.yaml());
        server.await(DEVICES, list -> list.path("resources").size() >= 7);
        server.await(LEDGERS, list -> list.path("kind").asText().equals("NodeLedgerList"));
        stage.make(
                "/api/v1/namespaces",
                "metadata: {name: %s, labels: {scheduler.radix.ai/enabled: \"true\"}}",
                stage.work());
        stage.make(
                "/api/v1/namespaces/{ns}/secrets",
                "{metadata: {name: %s}, stringData: {token: " + TOKEN + "}}",
                READERS);
        var labels = "{\"GPU-doors-0\": [\"fudo.org/gpu.h100\"], \"GPU-doors-1\": [\"fudo.org/gpu.h100\"]}";
        stage.node(
                "assigner",
                "annotations: {fudo.org/gpu.device.labels: %s}"
                        .formatted(Base64.getEncoder().encodeToString(labels.getBytes(UTF_8))),
                "nvidia.com/gpu: \"2\"");
        stage.node("extender", "", "tencent.com/vcuda-core: \"100\", tencent.com/vcuda-memory: \"64\"");
        stage.node("advisor", "labels: {gpu.nvidia.com/class: A100-80GB}", "nvidia.com/gpu: \"2\"");
        stage.node("pinner", "", "nvidia.com/gpu: \"4\"");
        stage.node("claims", "", "nvidia.com/gpu: \"2\"");
        var pool = stage.nodeOf("claims");
        stage.make(DEVICES + "/devicepools", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DevicePool
                metadata: {name: %1$s}
                spec: {driver: %1$s, nodeName: %1$s, devices: [{name: dev-0}, {name: dev-1}]}
                """, pool);
        stage.make(DEVICES + "/deviceclasses", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: %1$s}
                spec: {definition: {driver: %1$s}}
                """, pool);
        return stage;
    }

    /** Where the users are; doors leave the pods of their own namespace alone. */
    private String work() {
        return server.namespace() + "-work";
    }

    private String nodeOf(String door) {
        return server.namespace() + "-" + door;
    }

    private void node(String door, String metadata, String room) {
        var name = nodeOf(door);
        make("/api/v1/nodes", """
                metadata: {name: %%s, %s}
                status:
                  capacity: {cpu: "64", memory: 256Gi, pods: "110", %s}
                  allocatable: {cpu: "64", memory: 256Gi, pods: "110", %s}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(metadata, room, room), name);
        // The controller that takes the taint of new nodes away is not here.
        server.quietly(server.request("PATCH", "/api/v1/nodes/" + name)
                .type("application/merge-patch+json")
                .body("{\"spec\": {\"taints\": null}}"));
        server.cleanUp(LEDGERS + "/" + name);
    }

    private void make(String path, String yaml, String name) {
        server.cleanUp(path + "/" + name);
        var answer = server.quietly("POST", path, yaml.formatted(name));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    }

    /** A pod that names a kind of GPU. */
    void assigned(String name) {
        admit(
                "assigned-" + name,
                "labels: {fudo.org/gpu.h100: \"true\"}",
                "containers: [{name: main, image: none}]",
                pod -> pod.at("/metadata/annotations/fudo.org~1gpu.uuid")
                        .asText()
                        .startsWith("GPU-doors-"));
        assertThat(awaitNode("assigned-" + name)).isEqualTo(nodeOf("assigner"));
    }

    /** Half a GPU. */
    void sliced(String name) {
        admit(
                "sliced-" + name,
                "",
                "{schedulerName: gpu-admission-scheduler, containers: [{name: main, image: none, "
                        + "resources: {limits: {tencent.com/vcuda-core: \"50\", tencent.com/vcuda-memory: \"8\"}}}]}",
                _ -> true);
        assertThat(awaitNode("sliced-" + name)).isEqualTo(nodeOf("extender"));
        assertThat(pod("sliced-" + name)
                        .at("/metadata/annotations/tencent.com~1predicate-gpu-idx-0")
                        .asText())
                .isEqualTo("0");
    }

    /** A pod that says only what it is. */
    void advised(String name) {
        admit(
                "advised-" + name,
                "annotations: {app.kubernetes.io/job-type: train-bert, gpu.mem.gi: \"40\"}",
                "{containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: \"1\"}}}]}",
                pod -> pod.at("/spec/priorityClassName").asText().startsWith("gpu-"));
        assertThat(awaitNode("advised-" + name)).isEqualTo(nodeOf("advisor"));
    }

    /** Such a pod when there is nobody to advise. */
    void unadvised(String name) {
        admit(
                "advised-" + name,
                "annotations: {app.kubernetes.io/job-type: train-bert}",
                "{containers: [{name: main, image: none}]}",
                pod -> pod.at("/spec/priorityClassName").isMissingNode());
    }

    /** A replica that a map sends to its node and to one GPU of it. */
    void pinned(String name, int gpu) {
        admit(
                "pinned-%s-0".formatted(name),
                "annotations: {gpu-scheduling-map: \"0=%s:%d\"}".formatted(nodeOf("pinner"), gpu),
                "{schedulerName: gpu-scheduler, containers: [{name: main, image: none}]}",
                pod -> pod.at("/spec/containers/0/env/0/value").asText().equals(String.valueOf(gpu)));
        assertThat(awaitNode("pinned-%s-0".formatted(name))).isEqualTo(nodeOf("pinner"));
    }

    /** A pod that claims a device by class. */
    void claiming(String name) {
        admit(
                "claiming-" + name,
                "annotations: {devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"%s\"}]}}'}"
                        .formatted(nodeOf("claims")),
                "{schedulerName: berth, containers: [{name: main, image: none}]}",
                _ -> true);
        assertThat(awaitNode("claiming-" + name)).isEqualTo(nodeOf("claims"));
        assertThat(claims().toString()).contains("\"podNames\":[\"claiming-%s\"]".formatted(name));
    }

    /** Creates a pod again and again: the API server hears of new webhooks a moment later. */
    private void admit(String name, String metadata, String spec, Predicate<JsonNode> wanted) {
        var answers = new ArrayList<Answer>();
        Await.until(
                PATIENCE,
                () -> {
                    var answer = server.quietly("POST", pods(), """
                            metadata: {name: %s, %s}
                            spec: %s
                            """.formatted(
                                    name, metadata, spec.startsWith("{") ? spec : "{" + spec + "}"));
                    answers.add(answer);
                    if (answer.code() == 201 && wanted.test(answer.body())) return true;
                    server.quietly("DELETE", pods() + "/" + name + "?gracePeriodSeconds=0", "");
                    return false;
                },
                () -> "not as wanted: " + answers.getLast().text());
    }

    private String awaitNode(String name) {
        return server.await(pods() + "/" + name, pod -> pod.at("/spec/nodeName").isTextual())
                .at("/spec/nodeName")
                .asText();
    }

    private JsonNode pod(String name) {
        return server.quietly("GET", pods() + "/" + name, "").body();
    }

    private String pods() {
        return "/api/v1/namespaces/" + work() + "/pods";
    }

    private JsonNode claims() {
        return server.quietly("GET", DEVICES + "/namespaces/" + work() + "/deviceclaims", "")
                .body()
                .path("items");
    }

    List<String> nodes() {
        return List.of("assigner", "extender", "advisor", "pinner", "claims").stream()
                .map(this::nodeOf)
                .toList();
    }

    /** Their claims go with them. */
    void removePods() {
        server.quietly("DELETE", pods() + "?gracePeriodSeconds=0", "");
        Await.until(PATIENCE, () -> claims().isEmpty(), () -> "still claimed: " + claims());
    }

    /** Who held what is kept with the kinds. */
    void removeLedgers() {
        nodes().forEach(node -> server.quietly("DELETE", LEDGERS + "/" + node, ""));
    }
}
