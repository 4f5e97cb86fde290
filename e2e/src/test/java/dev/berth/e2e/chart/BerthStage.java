package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.story.Answer;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The nodes of {@code up}, and a namespace whose pods go through the doors. */
record BerthStage(Dialogue server) {
    static final String READERS = "readers";
    static final String TOKEN = "for-readers-only";

    private static final String MAPPED = "gpu-node-3";
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
        FleetOfUp.objects().forEach(stage::publish);
        return stage;
    }

    /** Where the users are; doors leave the pods of their own namespace alone. */
    private String work() {
        return server.namespace() + "-work";
    }

    /** As {@code up} has it in its own cluster. */
    private void publish(FleetOfUp.Published object) {
        server.cleanUp(object.path() + "/" + object.name());
        var answer = server.quietly("POST", object.path(), object.json());
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
        if (!object.path().endsWith("/nodes")) return;
        // The controller that takes the taint of new nodes away is not here. The node that the map names is better left
        // to it: which cards a pod gets that kube-scheduler sends there by number is nobody's choice.
        server.quietly(server.request("PATCH", object.path() + "/" + object.name())
                .type("application/merge-patch+json")
                .body(
                        object.name().equals(MAPPED)
                                ? "{\"spec\": {\"taints\": [{\"key\": \"example.com/mapped\", \"effect\": \"PreferNoSchedule\"}]}}"
                                : "{\"spec\": {\"taints\": null}}"));
        server.cleanUp(LEDGERS + "/" + object.name());
    }

    private void make(String path, String yaml, String name) {
        server.cleanUp(path + "/" + name);
        var answer = server.quietly("POST", path, yaml.formatted(name));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    }

    /** The README's tour: the same files by the real kubectl, and every pod on the node that the README shows. */
    void tour() {
        var files = E2eFolder.path().resolve("../examples/tour").normalize();
        server.kubectl().run("apply -n %s -f %s".formatted(work(), files));
        server.await("/api/v1/namespaces/" + work() + "/pods/pinned-0", pod -> pod.has("metadata"));
        Map.of(
                        "assigned", "gpu-node-1",
                        "shared", "gpu-node-2",
                        "advised", "gpu-node-0",
                        "pinned-0", MAPPED,
                        "claiming", "gpu-node-0")
                .forEach((name, node) -> assertThat(awaitNode(name)).as(name).isEqualTo(node));
        // Any of the others will do, and which one kube-scheduler takes is its own affair.
        assertThat(awaitNode("plain")).startsWith("gpu-node-").isNotEqualTo(MAPPED);
        assertThat(annotation("assigned", "fudo.org~1gpu.uuid")).startsWith("GPU-");
        assertThat(annotation("shared", "tencent.com~1predicate-gpu-idx-0")).isEqualTo("0");
        assertThat(annotation("advised", "scheduler.radix.ai~1chosen-gpu")).isEqualTo("A100-40GB");
        assertThat(pod("pinned-0").at("/spec/containers/0/env/0/value").asText())
                .isEqualTo("6,7");
        assertThat(claims().toString()).contains("\"podNames\":[\"claiming\"]");
    }

    /** A pod that names a kind of GPU. */
    void assigned(String name) {
        admit(
                "assigned-" + name,
                "labels: {fudo.org/gpu.h100: \"true\"}",
                "containers: [{name: main, image: none}]",
                pod -> pod.at("/metadata/annotations/fudo.org~1gpu.uuid")
                        .asText()
                        .startsWith("GPU-"));
        assertThat(awaitNode("assigned-" + name)).isEqualTo("gpu-node-1");
    }

    /** Half a GPU. */
    void sliced(String name) {
        admit(
                "sliced-" + name,
                "",
                "{schedulerName: gpu-admission-scheduler, nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}, containers: [{name: main, image: none, "
                        + "resources: {limits: {tencent.com/vcuda-core: \"50\", tencent.com/vcuda-memory: \"8\"}}}]}",
                _ -> true);
        assertThat(awaitNode("sliced-" + name)).isEqualTo("gpu-node-2");
        assertThat(annotation("sliced-" + name, "tencent.com~1predicate-gpu-idx-0"))
                .isEqualTo("0");
    }

    /** A pod that says only what it is; created again and again until the new webhook is heard of. */
    void advised(String name) {
        admit(
                "advised-" + name,
                "annotations: {app.kubernetes.io/job-type: train-bert}",
                "{containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: \"1\"}}}]}",
                pod -> pod.at("/spec/priorityClassName").asText().startsWith("gpu-"));
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
                "annotations: {gpu-scheduling-map: \"0=gpu-node-3:%d\"}".formatted(gpu),
                "{schedulerName: gpu-scheduler, containers: [{name: main, image: none}]}",
                pod -> pod.at("/spec/containers/0/env/0/value").asText().equals(String.valueOf(gpu)));
        assertThat(awaitNode("pinned-%s-0".formatted(name))).isEqualTo(MAPPED);
    }

    /** A pod that claims a device by class. */
    void claiming(String name) {
        admit(
                "claiming-" + name,
                "annotations: {devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"nvidia-a100\"}]}}'}",
                "{schedulerName: berth, containers: [{name: main, image: none}]}",
                _ -> true);
        assertThat(awaitNode("claiming-" + name)).isEqualTo("gpu-node-0");
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

    /** @param key as in a JSON pointer */
    private String annotation(String pod, String key) {
        return pod(pod).at("/metadata/annotations/" + key).asText();
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
        return IntStream.range(0, 4).mapToObj(index -> "gpu-node-" + index).toList();
    }

    /** Their claims go with them. */
    void removePods() {
        server.quietly("DELETE", "/apis/apps/v1/namespaces/" + work() + "/statefulsets/pinned", "");
        server.quietly("DELETE", pods() + "?gracePeriodSeconds=0", "");
        Await.until(PATIENCE, () -> claims().isEmpty(), () -> "still claimed: " + claims());
    }

    /** Who held what is kept with the kinds. */
    void removeLedgers() {
        nodes().forEach(node -> server.quietly("DELETE", LEDGERS + "/" + node, ""));
    }
}
