package dev.berth.e2e.extender;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Nodes with GPUs that are given out in parts, pods that want some, and what a scheduler does with the answers. */
final class SliceCluster implements AutoCloseable {
    static final String CORES = "tencent.com/vcuda-core";
    static final String MEMORY = "tencent.com/vcuda-memory";
    static final String NODE = "tencent.com/predicate-node";
    static final String INDEX = "tencent.com/predicate-gpu-idx-0";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final List<String> nodes = new CopyOnWriteArrayList<>();
    final KubernetesClient client;

    SliceCluster(Cluster cluster) {
        this.client = cluster.client("default");
        try (var connection = dev.berth.kube.Cluster.connect(
                ConnectionSettings.of(Optional.of(cluster.kubeconfig()), Optional.empty()))) {
            NodeLedgerDefinition.install(connection);
        }
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(work())
                        .endMetadata()
                        .build())
                .create();
    }

    String work() {
        return "slices-" + id;
    }

    /** No other scheduler of this name is about. */
    String scheduler() {
        return "gpu-scheduler-" + id;
    }

    void addNodes(int count, int gpus, int memoryEach) {
        addNodes(count, gpus, memoryEach, Map.of());
    }

    void addNodes(int count, int gpus, int memoryEach, Map<String, String> labels) {
        for (int node = 0; node < count; node++) {
            addNode("slices-%s-%03d".formatted(id, node), gpus, memoryEach, labels);
        }
    }

    private void addNode(String name, int gpus, int memoryEach, Map<String, String> labels) {
        nodes.add(name);
        Map<String, Quantity> room = Map.of(
                "cpu",
                new Quantity("64"),
                "memory",
                new Quantity("256Gi"),
                "pods",
                new Quantity("500"),
                CORES,
                new Quantity(Integer.toString(gpus * 100)),
                MEMORY,
                new Quantity(Integer.toString(gpus * memoryEach)));
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
        client.nodes()
                .withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .withCapacity(room)
                        .withAllocatable(room)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        // Nobody beside the servers takes away the taint that they put on every new node.
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"taints\": null}}");
    }

    List<String> nodes() {
        return nodes;
    }

    Pod create(String name, int cores, int memory) {
        Map<String, Quantity> limits = new HashMap<>(Map.of(CORES, new Quantity(Integer.toString(cores))));
        if (memory > 0) {
            limits.put(MEMORY, new Quantity(Integer.toString(memory)));
        }
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(work())
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withSchedulerName(scheduler())
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .withNewResources()
                        .withLimits(limits)
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    String question(Pod pod) {
        var request = Replica.JSON.createObjectNode();
        request.set("Pod", Replica.JSON.valueToTree(pod));
        request.putNull("Nodes");
        var names = request.putArray("NodeNames");
        nodes.forEach(names::add);
        return request.toString();
    }

    /** The node chosen, or what was said instead. */
    static String chosen(JsonNode reply) {
        return reply.path("Error").asText().isEmpty()
                ? reply.path("NodeNames").path(0).asText("none")
                : "error: " + reply.path("Error").asText();
    }

    void bind(Pod pod, String node) {
        client.raw(
                "/api/v1/namespaces/%s/pods/%s/binding"
                        .formatted(work(), pod.getMetadata().getName()),
                "POST",
                new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .endMetadata()
                        .withNewTarget()
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build());
    }

    List<Pod> pods() {
        return client.pods().inNamespace(work()).list().getItems();
    }

    Pod read(Pod pod) {
        return client.pods()
                .inNamespace(work())
                .withName(pod.getMetadata().getName())
                .get();
    }

    static Map<String, String> annotations(Pod pod) {
        var annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
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

    @Override
    public void close() {
        client.pods().inNamespace(work()).withGracePeriod(0).delete();
        for (var node : nodes) {
            client.nodes().withName(node).delete();
            client.resources(NodeLedger.class).withName(node).delete();
        }
        client.resources(NodeLedger.class).withName("quota." + work()).delete();
        client.namespaces().withName(work()).delete();
        client.close();
    }
}
