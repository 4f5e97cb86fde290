package dev.berth.e2e.assigner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Nodes with GPUs that no other story sees, and what the API server would do with an assigner's answers. */
final class GpuCluster implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final List<String> nodes = new CopyOnWriteArrayList<>();
    final Cluster cluster;
    final KubernetesClient client;

    GpuCluster(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client("default");
        try (var connection = dev.berth.kube.Cluster.connect(
                ConnectionSettings.of(Optional.of(cluster.kubeconfig()), Optional.empty()))) {
            NodeLedgerDefinition.install(connection);
        }
        for (var namespace : List.of(claims(), work())) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    String claims() {
        return "claims-" + id;
    }

    String work() {
        return "work-" + id;
    }

    /** The label that all GPUs here have, and no others. */
    String label() {
        return "fudo.org/gpu.story-" + id;
    }

    void addNodes(int count, int gpus) {
        for (int node = 0; node < count; node++) {
            var tree = JSON.createObjectNode();
            for (int gpu = 0; gpu < gpus; gpu++) {
                tree.putArray("GPU-%s-%03d-%d".formatted(id, node, gpu)).add(label());
            }
            addNode("%s-%03d".formatted(id, node), encoded(tree.toString()));
        }
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    void addNode(String name, String annotation) {
        nodes.add(name);
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToAnnotations("fudo.org/gpu.device.labels", annotation)
                        .endMetadata()
                        .build())
                .create();
        client.nodes()
                .withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        // Nobody beside the servers takes away the taint that they put on every new node.
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"taints\": null}}");
    }

    String review(String uid, String pod, int gpus) {
        return """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%s","namespace":"%s",
                 "object":{"metadata":{"name":"%s","namespace":"%s","labels":{"%s":"true"}},
                  "spec":{"containers":[{"name":"main","resources":{"requests":{"nvidia.com/gpu":"%d"}}}]}}}}""".formatted(uid, work(), pod, work(), label(), gpus);
    }

    static JsonNode response(String review) {
        try {
            return JSON.readTree(review).path("response");
        } catch (IOException notJson) {
            throw new AssertionError(review, notJson);
        }
    }

    static List<String> uuids(JsonNode response) {
        return List.of(patch(response).path(1).path("value").asText().split(","));
    }

    private static JsonNode patch(JsonNode response) {
        try {
            return JSON.readTree(
                    Base64.getDecoder().decode(response.path("patch").asText()));
        } catch (IOException notJson) {
            throw new AssertionError(response.toString(), notJson);
        }
    }

    /** Creates the pod as the API server would have after the patch. */
    Pod create(String name, JsonNode response) {
        var patch = patch(response);
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(work())
                        .withName(name)
                        .withAnnotations(Map.of(
                                "fudo.org/gpu.uuid", patch.path(1).path("value").asText(),
                                "fudo.org/gpu.node", patch.path(2).path("value").asText(),
                                "fudo.org/gpu.reservation-id",
                                        patch.path(3).path("value").asText(),
                                "cdi.k8s.io/gpu-assignment",
                                        patch.path(4).path("value").asText()))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(patch.path(5).path("value").asText())
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    void remove(String pod) {
        client.pods().inNamespace(work()).withName(pod).withGracePeriod(0).delete();
    }

    List<Lease> leases() {
        return client.leases().inNamespace(claims()).list().getItems();
    }

    /** How many devices the node ledgers of this story say are held. */
    long held() {
        return client.resources(NodeLedger.class).list().getItems().stream()
                .filter(ledger -> nodes.contains(ledger.getMetadata().getName()))
                .mapToLong(ledger -> ledger.getSpec().lines().size())
                .sum();
    }

    static void await(String what, BooleanSupplier condition) {
        Await.until(PATIENCE, condition, () -> what);
    }

    /** For what has a minute to happen. */
    static void awaitLonger(String what, BooleanSupplier condition) {
        Await.until(PATIENCE.multipliedBy(2), condition, () -> what);
    }

    @Override
    public void close() {
        client.pods().inNamespace(work()).withGracePeriod(0).delete();
        client.leases().inNamespace(claims()).delete();
        for (var node : nodes) {
            client.nodes().withName(node).delete();
            client.resources(NodeLedger.class).withName(node).delete();
        }
        client.namespaces().withName(work()).delete();
        client.namespaces().withName(claims()).delete();
        client.close();
    }
}
