package dev.berth.e2e.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Nodes whose cards every door knows, and a namespace for the pods that want them. */
final class Ground implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String DEVICES = "devmgmtproto.k8s.io/v1alpha1";

    final Cluster cluster;
    final KubernetesClient client;
    private final String id;
    private final List<String> nodes;
    private final int cards;

    Ground(Cluster cluster, String id, int nodes, int cards) {
        this.cluster = cluster;
        this.client = cluster.client("default");
        this.id = id;
        this.cards = cards;
        this.nodes = IntStream.range(0, nodes)
                .mapToObj(number -> "%s-%02d".formatted(id, number))
                .toList();
        try (var connection = dev.berth.kube.Cluster.connect(
                ConnectionSettings.of(Optional.of(cluster.kubeconfig()), Optional.empty()))) {
            NodeLedgerDefinition.install(connection);
        }
        ClaimDefinitions.yaml().forEach(this::apply);
        Await.until(PATIENCE, this::classesAreServed, () -> "device classes are not served");
        apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}".formatted(work()));
        apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}".formatted(leases()));
        apply("apiVersion: %s\nkind: DeviceClass\nmetadata: {name: %s}\nspec: {definition: {driver: %s}}"
                .formatted(DEVICES, id, driver()));
        this.nodes.forEach(this::addNode);
    }

    private boolean classesAreServed() {
        try {
            client.genericKubernetesResources(DEVICES, "DeviceClass").list();
            return true;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private void addNode(String node) {
        var labels = uuids(node)
                .collect(Collectors.joining(
                        "\": [\"%s\"], \"".formatted(label()), "{\"", "\": [\"%s\"]}".formatted(label())));
        var room =
                "{cpu: \"64\", memory: 256Gi, pods: \"110\", nvidia.com/gpu: \"%d\", tencent.com/vcuda-core: \"%d\", tencent.com/vcuda-memory: \"%d\"}"
                        .formatted(cards, cards * 100, cards * 64);
        apply("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  labels: {gpu-node-name: %1$s}
                  annotations: {berth.dev/gpu-uuids: "%2$s", fudo.org/gpu.device.labels: "%3$s"}
                status: {capacity: %4$s, allocatable: %4$s, conditions: [{type: Ready, status: "True"}]}
                """.formatted(
                        node,
                        uuids(node).collect(Collectors.joining(",")),
                        Base64.getEncoder().encodeToString(labels.getBytes(UTF_8)),
                        room));
        // Nobody beside the servers takes away the taint that they put on every new node.
        client.nodes().withName(node).edit(tainted -> {
            tainted.getSpec().setTaints(List.of());
            return tainted;
        });
        apply("""
                apiVersion: %s
                kind: DevicePool
                metadata: {name: %s}
                spec: {driver: %s, nodeName: %s, devices: [%s]}
                """.formatted(
                        DEVICES,
                        node,
                        driver(),
                        node,
                        IntStream.range(0, cards)
                                .mapToObj(index ->
                                        "{name: gpu-%d, attributes: [{name: uuid, stringValue: %s}, {name: index, intValue: %d}]}"
                                                .formatted(index, uuid(node, index), index))
                                .collect(Collectors.joining(", "))));
    }

    private Stream<String> uuids(String node) {
        return IntStream.range(0, cards).mapToObj(index -> uuid(node, index));
    }

    static String uuid(String node, int index) {
        return "GPU-%s-%d".formatted(node, index);
    }

    private void apply(String yaml) {
        var object = client.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items();
        for (HasMetadata each : object) {
            if (client.resource(each).get() == null) client.resource(each).create();
        }
    }

    String id() {
        return id;
    }

    List<String> nodes() {
        return nodes;
    }

    int cards() {
        return cards;
    }

    /** Where the pods are. */
    String work() {
        return id + "-work";
    }

    /** Where the assigner keeps its Leases. */
    String leases() {
        return id + "-leases";
    }

    /** Of every card here and of no other. */
    String label() {
        return "fudo.org/gpu." + id;
    }

    /** A class of devices that comes only in the end. */
    String lateClass() {
        return id + "-late";
    }

    void addLateClass() {
        apply("apiVersion: %s\nkind: DeviceClass\nmetadata: {name: %s}\nspec: {definition: {driver: %s}}"
                .formatted(DEVICES, lateClass(), driver()));
    }

    private String driver() {
        return id + ".example.com";
    }

    /** Who holds anything here, as the ledgers say. */
    List<String> holders() {
        return client.resources(NodeLedger.class).list().getItems().stream()
                .filter(ledger -> nodes.contains(ledger.getMetadata().getName()))
                .flatMap(ledger -> ledger.getSpec().lines().stream())
                .toList();
    }

    /** The ids of devices that somebody holds, as the ledgers say. */
    Set<String> heldDevices() {
        return client.resources(NodeLedger.class).list().getItems().stream()
                .filter(ledger -> nodes.contains(ledger.getMetadata().getName()))
                .flatMap(ledger -> ledger.getSpec().entries().stream())
                .map(entry -> entry.device().value())
                .collect(Collectors.toSet());
    }

    /** The assigner's, one for each card that it has promised. */
    List<Lease> gpuLeases() {
        return client.leases().inNamespace(leases()).list().getItems().stream()
                .filter(lease -> lease.getMetadata().getLabels() != null
                        && lease.getMetadata().getLabels().containsKey("fudo.org/gpu.uuid"))
                .toList();
    }

    /** Whether the server has this very pod, now. */
    boolean isThere(Pod pod) {
        var found = client.pods()
                .inNamespace(work())
                .withName(pod.getMetadata().getName())
                .get();
        return found != null
                && found.getMetadata().getUid().equals(pod.getMetadata().getUid())
                && found.getMetadata().getDeletionTimestamp() == null;
    }

    List<GenericKubernetesResource> claims() {
        return client.genericKubernetesResources(DEVICES, "DeviceClaim")
                .inNamespace(work())
                .list()
                .getItems();
    }

    @Override
    public void close() {
        client.pods().inNamespace(work()).withGracePeriod(0).delete();
        client.genericKubernetesResources(DEVICES, "DeviceClass").withName(id).delete();
        client.genericKubernetesResources(DEVICES, "DeviceClass")
                .withName(lateClass())
                .delete();
        for (var node : nodes) {
            client.genericKubernetesResources(DEVICES, "DevicePool")
                    .withName(node)
                    .delete();
            client.nodes().withName(node).delete();
            client.resources(NodeLedger.class).withName(node).delete();
        }
        client.genericKubernetesResources(DEVICES, "DeviceClaim")
                .inNamespace(work())
                .delete();
        client.namespaces().withName(work()).delete();
        client.namespaces().withName(leases()).delete();
        client.close();
    }
}
