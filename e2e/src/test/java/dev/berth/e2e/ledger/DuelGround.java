package dev.berth.e2e.ledger;

import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Nodes with one card each, which is published to every door, and the pods that are sent there. */
final class DuelGround implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Between two looks at all pods and all ledgers, which cost the server more than the duels themselves. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final String DRIVER = "gpu.example.com";
    private static final ResourceDefinitionContext POOLS = kind("DevicePool", "devicepools");
    private static final ResourceDefinitionContext CLASSES = kind("DeviceClass", "deviceclasses");

    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final List<String> nodes = new ArrayList<>();
    final Cluster cluster;
    final KubernetesClient client;

    private DuelGround(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client("default");
        try (var connection = dev.berth.kube.Cluster.connect(
                ConnectionSettings.of(Optional.of(cluster.kubeconfig()), Optional.empty()))) {
            NodeLedgerDefinition.install(connection);
        }
        for (var definition : ClaimDefinitions.yaml()) {
            client.load(new ByteArrayInputStream(definition.getBytes(StandardCharsets.UTF_8)))
                    .serverSideApply();
        }
        Await.until(PATIENCE, this::poolsAreServed, () -> "pools are not served");
        client.resource(new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName(work())
                        .endMetadata()
                        .withNewSpec()
                        .addNewSelector()
                        .withNewCel("device.driver == '%s'".formatted(DRIVER))
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        for (var namespace : List.of(work(), leases())) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    /**
     * So many nodes, of which each has one card: doors that are started then know of all of them from the beginning.
     */
    static DuelGround with(Cluster cluster, int nodes) {
        var ground = new DuelGround(cluster);
        for (int number = 0; number < nodes; number++) {
            ground.nodes.add("duel-%s-%03d".formatted(ground.id, number));
        }
        ground.nodes.parallelStream().forEach(ground::addNode);
        return ground;
    }

    List<String> nodes() {
        return List.copyOf(nodes);
    }

    private static ResourceDefinitionContext kind(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("devmgmtproto.k8s.io")
                .withVersion("v1alpha1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(false)
                .build();
    }

    private boolean poolsAreServed() {
        try {
            client.genericKubernetesResources(POOLS).list();
            return true;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    String id() {
        return id;
    }

    /** Where the pods are. */
    String work() {
        return "duels-" + id;
    }

    /** Where the assigner keeps its Leases. */
    String leases() {
        return "duel-leases-" + id;
    }

    /** The label of the one card of this node. */
    String label(String node) {
        return "fudo.org/gpu." + node;
    }

    /** Ends all pods and reservations, and waits until no door holds anything. */
    void clear() {
        deleteAll("/api/v1/namespaces/%s/pods?gracePeriodSeconds=0".formatted(work()));
        deleteAll("/apis/coordination.k8s.io/v1/namespaces/%s/leases?labelSelector=fudo.org%%2Fgpu.uuid"
                .formatted(leases()));
        await(() -> holders().values().stream().flatMap(List::stream).toList());
        deleteAll(claims());
        await(() -> client.resources(ResourceClaim.class).inNamespace(work()).list().getItems().stream()
                .map(claim -> claim.getMetadata().getName())
                .toList());
    }

    private String claims() {
        return "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims".formatted(work());
    }

    private void deleteAll(String path) {
        client.raw(path, "DELETE", null);
    }

    private void addNode(String node) {
        var uuid = "GPU-" + node;
        var labels = "{\"%s\": [\"%s\"]}".formatted(uuid, label(node));
        Map<String, Quantity> room = Map.of(
                "cpu", new Quantity("64"),
                "memory", new Quantity("64Gi"),
                "pods", new Quantity("100"),
                "nvidia.com/gpu", new Quantity("1"),
                "tencent.com/vcuda-core", new Quantity("100"),
                "tencent.com/vcuda-memory", new Quantity("16"));
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .withLabels(Map.of("gpu-node-name", node, "duel", node))
                        .withAnnotations(Map.of(
                                CardUuids.ANNOTATION,
                                uuid,
                                "fudo.org/gpu.device.labels",
                                Base64.getEncoder().encodeToString(labels.getBytes(StandardCharsets.UTF_8))))
                        .endMetadata()
                        .withNewStatus()
                        .withCapacity(room)
                        .withAllocatable(room)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
        // Nobody beside the servers takes away the taint that they put on every new node.
        client.nodes().withName(node).edit(tainted -> {
            tainted.getSpec().setTaints(List.of());
            return tainted;
        });
        create(POOLS, node, """
                {driver: gpu.example.com, nodeName: %s,
                 devices: [{name: gpu-0, attributes: [{name: uuid, stringValue: %s}, {name: index, intValue: 0}]}]}
                """.formatted(node, uuid));
        client.resource(new ResourceSliceBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .withNewSpec()
                        .withDriver(DRIVER)
                        .withNodeName(node)
                        .withNewPool(1L, node, 1L)
                        .addNewDevice()
                        .withName("gpu-0")
                        .addToAttributes("uuid", text(uuid))
                        .endDevice()
                        .endSpec()
                        .build())
                .create();
        create(
                CLASSES,
                node,
                "{definition: {driver: gpu.example.com, constraints: \"device.uuid == '%s'\"}}".formatted(uuid));
    }

    private void create(ResourceDefinitionContext kind, String name, String spec) {
        client.genericKubernetesResources(kind)
                .resource(client.getKubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: devmgmtproto.k8s.io/v1alpha1
                                kind: %s
                                metadata: {name: %s}
                                spec: %s
                                """.formatted(kind.getKind(), name, spec.replace("\n", " ")),
                                GenericKubernetesResource.class))
                .create();
    }

    private static DeviceAttribute text(String words) {
        return new DeviceAttributeBuilder().withString(words).build();
    }

    /** A claim for the card of this node. */
    void claim(String name, String node) {
        client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(work())
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNewDevices()
                        .addNewRequest()
                        .withName("gpu")
                        .withNewExactly()
                        .withDeviceClassName(work())
                        .addNewSelector()
                        .withNewCel("device.attributes['%s'].uuid == 'GPU-%s'".formatted(DRIVER, node))
                        .endSelector()
                        .endExactly()
                        .endRequest()
                        .endDevices()
                        .endSpec()
                        .build())
                .create();
    }

    /** A pod in this scheduler's name, with what the contender needs. */
    Pod create(String name, String scheduler, UnaryOperator<PodBuilder> more) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(work())
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(scheduler)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec();
        return client.resource(more.apply(pod).build()).create();
    }

    /** A pod as it stands there. */
    void create(String json) {
        client.raw("/api/v1/namespaces/%s/pods".formatted(work()), "POST", json);
    }

    /** All pods by name. */
    Map<String, Pod> pods() {
        return client.pods().inNamespace(work()).list().getItems().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
    }

    static boolean bound(Pod pod) {
        return !Objects.requireNonNullElse(pod.getSpec().getNodeName(), "").isEmpty();
    }

    static boolean refused(Pod pod) {
        return pod.getStatus() != null
                && Objects.requireNonNullElse(pod.getStatus().getConditions(), List.<PodCondition>of()).stream()
                        .anyMatch(condition -> condition.getType().equals("PodScheduled")
                                && condition.getStatus().equals("False"));
    }

    /** Who holds anything on the nodes, as the ledgers say. */
    Map<String, List<String>> holders() {
        var holders = new TreeMap<String, List<String>>();
        for (var ledger : client.resources(NodeLedger.class).list().getItems()) {
            var node = ledger.getMetadata().getName();
            if (nodes.contains(node) && !ledger.getSpec().lines().isEmpty()) {
                holders.put(node, ledger.getSpec().lines());
            }
        }
        return holders;
    }

    /** Waits until nothing is left of this. */
    void await(Supplier<List<String>> left) {
        Await.until(
                PATIENCE,
                BETWEEN_LOOKS,
                () -> left.get().isEmpty(),
                () -> "left over: " + left.get().stream().limit(20).toList());
    }

    @Override
    public void close() {
        deleteAll("/api/v1/namespaces/%s/pods?gracePeriodSeconds=0".formatted(work()));
        deleteAll("/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(leases()));
        deleteAll(claims());
        client.resources(DeviceClass.class).withName(work()).delete();
        nodes.parallelStream().forEach(node -> {
            client.genericKubernetesResources(CLASSES).withName(node).delete();
            client.genericKubernetesResources(POOLS).withName(node).delete();
            client.resources(ResourceSlice.class).withName(node).delete();
            client.nodes().withName(node).delete();
            client.resources(NodeLedger.class).withName(node).delete();
        });
        client.genericKubernetesResources("devmgmtproto.k8s.io/v1alpha1", "DeviceClaim")
                .inNamespace(work())
                .delete();
        client.namespaces().withName(work()).delete();
        client.namespaces().withName(leases()).delete();
        client.close();
    }
}
