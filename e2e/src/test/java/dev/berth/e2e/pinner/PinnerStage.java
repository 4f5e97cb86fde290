package dev.berth.e2e.pinner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A cluster with the pinner's nodes, its replicas and its schedulers; all names begin with the story's own. */
final class PinnerStage {
    static final String PODS = "/api/v1/namespaces/{ns}/pods";
    private static final String NODES = "/api/v1/nodes";
    private static final String LEDGERS = "/apis/berth.dev/v1alpha1/nodeledgers";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Dialogue server;

    private PinnerStage(Dialogue server) {
        this.server = server;
    }

    static PinnerStage on(Dialogue server) {
        server.quietly("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", NodeLedgerDefinition.yaml());
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
        return new PinnerStage(server);
    }

    /** A Ready node with four GPUs; the label is left out where it is empty. */
    void node(String name, String label) {
        server.cleanUp(LEDGERS + "/" + name);
        server.cleanUp(NODES + "/" + name);
        var answer = server.quietly("POST", NODES, """
                metadata: {name: %s%s}
                status:
                  capacity: {cpu: "16", memory: 64Gi, pods: "500", nvidia.com/gpu: "4"}
                  allocatable: {cpu: "16", memory: 64Gi, pods: "500", nvidia.com/gpu: "4"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(
                        name, label.isEmpty() ? "" : ", labels: {gpu-node-name: %s}".formatted(label)));
        expect(answer.code() == 201, answer.text());
        // The API server taints every new node; the node controller, which is not here, would take that away.
        patch(NODES + "/" + name, "{\"spec\": {\"taints\": null}}");
    }

    void patchNode(String node, String patch) {
        patch(NODES + "/" + node, patch);
    }

    void label(String node, String label) {
        patchNode(node, "{\"metadata\": {\"labels\": {\"gpu-node-name\": \"%s\"}}}".formatted(label));
    }

    void ready(String node, String status) {
        var answer = server.quietly(server.request("PATCH", NODES + "/" + node + "/status")
                .type("application/strategic-merge-patch+json")
                .body("{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\"}]}}".formatted(status)));
        expect(answer.code() == 200, answer.text());
    }

    void annotate(String pod, String map) {
        patch(
                PODS + "/" + pod,
                "{\"metadata\": {\"annotations\": {\"gpu-scheduling-map\": \"%s\"}}}".formatted(escaped(map)));
    }

    private void patch(String path, String patch) {
        var answer = server.quietly(server.request("PATCH", path)
                .type("application/merge-patch+json")
                .body(patch));
        expect(answer.code() == 200, answer.text());
    }

    void replica(String name, String scheduler, String map) {
        replica(name, scheduler, map, "10m", "");
    }

    /** @param visible the value of the container's own CUDA_VISIBLE_DEVICES; empty for none */
    void replica(String name, String scheduler, String map, String cpu, String visible) {
        var annotations = map.isEmpty() ? "" : ", annotations: {gpu-scheduling-map: \"%s\"}".formatted(escaped(map));
        var env = visible.isEmpty() ? "" : ", env: [{name: CUDA_VISIBLE_DEVICES, value: \"%s\"}]".formatted(visible);
        var answer = server.quietly("POST", PODS, """
                metadata: {name: %s%s}
                spec:
                  schedulerName: %s
                  containers: [{name: main, image: none, resources: {requests: {cpu: %s}}%s}]
                """.formatted(name, annotations, scheduler, cpu, env));
        expect(answer.code() == 201, answer.text());
    }

    private static String escaped(String map) {
        return map.replace("\n", "\\n");
    }

    /** So many replicas, all at once, from a StatefulSet whose controller runs. */
    void statefulSet(String name, String scheduler, int replicas, String map) {
        var answer = server.quietly("POST", "/apis/apps/v1/namespaces/{ns}/statefulsets", """
                metadata: {name: %s}
                spec:
                  replicas: %d
                  serviceName: none
                  podManagementPolicy: Parallel
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s}, annotations: {gpu-scheduling-map: "%s"}}
                    spec:
                      schedulerName: %s
                      containers: [{name: main, image: none, resources: {requests: {cpu: 10m}}}]
                """.formatted(
                        name, replicas, name, name, escaped(map), scheduler));
        expect(answer.code() == 201, answer.text());
    }

    void delete(String pod) {
        server.quietly("DELETE", PODS + "/" + pod, "{gracePeriodSeconds: 0}");
    }

    /** Where the pods of this namespace are, those that have a node. */
    Map<String, String> places() {
        var places = new TreeMap<String, String>();
        for (var pod : server.quietly("GET", PODS, "").body().path("items")) {
            var node = pod.at("/spec/nodeName").asText();
            if (!node.isEmpty()) {
                places.put(pod.at("/metadata/name").asText(), node);
            }
        }
        return places;
    }

    void awaitPlaced(int count) {
        Await.until(
                PATIENCE,
                () -> places().size() == count,
                () -> "%d of %d pods are placed: %s".formatted(places().size(), count, waiting()));
    }

    private List<String> waiting() {
        var waiting = new ArrayList<String>();
        for (var pod : server.quietly("GET", PODS, "").body().path("items")) {
            if (pod.at("/spec/nodeName").asText().isEmpty() && waiting.size() < 5) {
                waiting.add(pod.at("/metadata/name").asText() + ": " + refusal(pod));
            }
        }
        return waiting;
    }

    String awaitNode(String pod) {
        Await.until(
                PATIENCE,
                () -> places().containsKey(pod),
                () -> pod + " waits: "
                        + refusal(server.quietly("GET", PODS + "/" + pod, "").body()));
        return String.valueOf(places().get(pod));
    }

    String awaitRefusal(String pod, String part) {
        return refusal(server.await(PODS + "/" + pod, each -> refusal(each).contains(part)));
    }

    static String refusal(JsonNode pod) {
        return pod.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("PodScheduled")
                        && condition.path("status").asText().equals("False"))
                .map(condition -> condition.path("reason").asText() + ": "
                        + condition.path("message").asText())
                .findFirst()
                .orElse("");
    }

    /** Who holds the GPUs of a node: {@code 0 -> [app-0]}. */
    Map<String, List<String>> holders(String node) {
        var holders = new TreeMap<String, List<String>>();
        for (var line : server.quietly("GET", LEDGERS + "/" + node, "").body().at("/spec/lines")) {
            var columns = line.asText().split("[ /]", -1);
            holders.computeIfAbsent(columns[0], _ -> new ArrayList<>()).add(columns[4]);
        }
        holders.values().forEach(names -> names.sort(null));
        return holders;
    }

    /** How often a node's ledger was written. */
    long writes(String node) {
        return server.quietly("GET", LEDGERS + "/" + node, "")
                .body()
                .at("/metadata/generation")
                .asLong();
    }

    /** The note of the pod's first event with this reason. */
    String awaitNote(String pod, String reason) {
        return server.await(
                        "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                        _ -> reasons(pod).contains(reason))
                .path("items")
                .valueStream()
                .filter(event -> event.at("/regarding/name").asText().equals(pod)
                        && event.path("reason").asText().equals(reason))
                .map(event -> event.path("note").asText())
                .findFirst()
                .orElse("");
    }

    List<String> reasons(String pod) {
        return server.quietly("GET", "/apis/events.k8s.io/v1/namespaces/{ns}/events", "")
                .body()
                .path("items")
                .valueStream()
                .filter(event -> event.at("/regarding/name").asText().equals(pod))
                .map(event -> event.path("reason").asText())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * A scheduler as a process; when this returns it has caught up with the cluster, and leads if it is the only one.
     */
    GuardedProcess scheduler(String name, Path kubeconfig, String... more) {
        return start(name, kubeconfig, "places pods: scheduler=" + name, more);
    }

    /** One that waits for another to let go. */
    GuardedProcess standby(String name, Path kubeconfig, String... more) {
        return start(name, kubeconfig, "scheduler  " + name, more);
    }

    private GuardedProcess start(String name, Path kubeconfig, String words, String... more) {
        var log = E2eFolder.target("pinner")
                .resolve("%s-%s-%d.log"
                        .formatted(server.namespace(), server.cluster().name(), System.nanoTime()));
        List<String> arguments = new ArrayList<>(List.of(
                "pinner",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--name=" + name,
                "--lease-namespace=" + server.namespace(),
                "--bind-address=127.0.0.1",
                "--health-port=0"));
        arguments.addAll(List.of(more));
        return BerthProcess.start(log, words, arguments.toArray(String[]::new));
    }

    private static void expect(boolean condition, String told) {
        if (!condition) throw new AssertionError(told);
    }
}
