package dev.berth.e2e.explain;

import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Nodes with GPUs of every door, and {@code berth} asked about them. No door runs: what is there speaks for itself. */
final class ExplainStage {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/namespaces/{ns}/pods";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CLAIMS = "/apis/devmgmtproto.k8s.io/v1alpha1";

    private final Dialogue server;
    private final Path folder;

    ExplainStage(Dialogue server, Path folder) {
        this.server = server;
        this.folder = folder;
        var definitions = new ArrayList<>(ClaimDefinitions.yaml());
        definitions.add(NodeLedgerDefinition.yaml());
        definitions.forEach(yaml -> server.quietly("POST", DEFINITIONS, yaml));
        server.await(CLAIMS, list -> list.path("resources").size() >= 7);
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
    }

    /** A Ready node that carries the story's label, with these resources beside the usual ones. */
    void node(String name, Map<String, String> resources, String metadata) {
        server.cleanUp(NODES + "/" + name);
        var amounts = new StringBuilder("cpu: \"16\", memory: 64Gi, pods: \"100\"");
        resources.forEach((resource, amount) -> amounts.append(", %s: \"%s\"".formatted(resource, amount)));
        sent("POST", NODES, """
                metadata: {name: %s, labels: {story: "{ns}"%s}
                status:
                  capacity: {%s}
                  allocatable: {%s}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, metadata, amounts, amounts));
        // The API server taints every new node; the node controller, which is not here, would take that away.
        patchNode(name, "{\"spec\": {\"taints\": null}}");
    }

    void patchNode(String name, String patch) {
        server.quietly(server.request("PATCH", NODES + "/" + name)
                .type("application/merge-patch+json")
                .body(patch));
    }

    void sent(String method, String path, String yaml) {
        var answer = server.quietly(method, path, yaml.replace("{ns}", server.namespace()));
        if (answer.code() >= 300) {
            throw new AssertionError("%s %s: %s".formatted(method, path, answer.text()));
        }
    }

    /** A pod on a node, or one that waits where the node is empty. */
    void pod(String name, String node, String metadata, String limits) {
        sent("POST", PODS, podYaml(name, node, metadata, limits));
    }

    private static String podYaml(String name, String node, String metadata, String limits) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s%s}
                spec:
                  schedulerName: nobody
                  nodeSelector: {story: "{ns}"}
                  %s
                  containers: [{name: main, image: none, resources: {limits: {%s}}}]
                """.formatted(name, metadata, node.isEmpty() ? "" : "nodeName: " + node, limits);
    }

    /** The same in a file, not submitted. */
    String file(String name, String metadata, String limits) {
        try {
            return Files.writeString(
                            folder.resolve(name + ".yaml"),
                            podYaml(name, "", metadata, limits).replace("{ns}", server.namespace()))
                    .toString();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    void pool(String name, String node, int devices) {
        server.cleanUp(CLAIMS + "/devicepools/" + name);
        server.cleanUp(CLAIMS + "/deviceclasses/" + name);
        var names = new ArrayList<String>();
        for (int device = 0; device < devices; device++) {
            names.add("{name: gpu-%d}".formatted(device));
        }
        sent("POST", CLAIMS + "/devicepools", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DevicePool
                metadata: {name: %s}
                spec: {driver: %s, nodeName: %s, devices: [%s]}
                """.formatted(name, name, node, String.join(", ", names)));
        sent("POST", CLAIMS + "/deviceclasses", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {definition: {driver: %s}}
                """.formatted(name, name));
    }

    BerthProcess.Said berth(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--kubeconfig", server.cluster().kubeconfig().toString(), "-n", server.namespace()));
        return BerthProcess.run(all.toArray(String[]::new));
    }
}
