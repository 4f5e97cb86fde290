package dev.berth.e2e.defrag;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Nodes with two GPUs each, pods that a ReplicaSet makes again, and a story that says where each of them goes. */
final class DefragStage {
    static final String PODS = "/api/v1/namespaces/{ns}/pods";

    private static final String NODES = "/api/v1/nodes";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final Dialogue server;

    DefragStage(Dialogue server) {
        this.server = server;
        var definitions = new ArrayList<>(ClaimDefinitions.yaml());
        definitions.add(NodeLedgerDefinition.yaml());
        definitions.forEach(yaml -> server.quietly("POST", DEFINITIONS, yaml));
        server.await(
                "/apis/devmgmtproto.k8s.io/v1alpha1",
                list -> list.path("resources").size() >= 7);
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
    }

    void node(String name) {
        server.cleanUp(NODES + "/" + name);
        var amounts = "cpu: \"16\", memory: 64Gi, pods: \"100\", nvidia.com/gpu: \"2\"";
        sent("POST", NODES, """
                metadata: {name: %s, labels: {story: "{ns}"}}
                status:
                  capacity: {%s}
                  allocatable: {%s}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, amounts, amounts));
        // The API server taints every new node; the node controller, which is not here, would take that away.
        patch(NODES + "/" + name, "{\"spec\": {\"taints\": null}}");
    }

    /** Two pods with one GPU each. They leave at once, because no kubelet is here to let them. */
    void replicaSet(String name) {
        sent("POST", "/apis/apps/v1/namespaces/{ns}/replicasets", """
                metadata: {name: %s}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s}}
                    spec: {%s, terminationGracePeriodSeconds: 0}
                """.formatted(name, name, name, spec(1)));
    }

    void pod(String name, int gpus) {
        sent("POST", PODS, "{metadata: {name: %s}, spec: {%s}}".formatted(name, spec(gpus)));
    }

    private static String spec(int gpus) {
        return "schedulerName: the-story, nodeSelector: {story: \"{ns}\"}, "
                + "containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: %d}}}]".formatted(gpus);
    }

    /** The story schedules: a pod of the ReplicaSet that has no node yet gets this one, and runs there. */
    String bindOneTo(String node) {
        var list = server.await(PODS, pods -> unbound(pods).findAny().isPresent());
        var name = unbound(list).findFirst().orElseThrow().at("/metadata/name").asText();
        sent(
                "POST",
                PODS + "/" + name + "/binding",
                "{metadata: {name: %s}, target: {apiVersion: v1, kind: Node, name: %s}}".formatted(name, node));
        patch(PODS + "/" + name + "/status", "{\"status\": {\"phase\": \"Running\"}}");
        return name;
    }

    private static Stream<JsonNode> unbound(JsonNode pods) {
        Predicate<JsonNode> waits = pod -> pod.at("/spec/nodeName").asText().isEmpty();
        return pods.path("items")
                .valueStream()
                .filter(waits)
                .filter(pod ->
                        !pod.at("/metadata/ownerReferences/0/kind").asText().isEmpty());
    }

    void sent(String method, String path, String yaml) {
        var answer = server.quietly(method, path, yaml.replace("{ns}", server.namespace()));
        if (answer.code() >= 300) {
            throw new AssertionError("%s %s: %s".formatted(method, path, answer.text()));
        }
    }

    private void patch(String path, String patch) {
        var answer = server.quietly(server.request("PATCH", path)
                .type("application/merge-patch+json")
                .body(patch));
        if (answer.code() >= 300) {
            throw new AssertionError("PATCH %s: %s".formatted(path, answer.text()));
        }
    }

    BerthProcess.Said defrag(String... arguments) {
        var all = new ArrayList<>(List.of("defrag"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--kubeconfig", server.cluster().kubeconfig().toString(), "-n", server.namespace()));
        return BerthProcess.run(all.toArray(String[]::new));
    }
}
