package dev.berth.kube.ledger;

import static dev.berth.kube.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.TestServer;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pods;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NamedLedgersTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final List<String> UUIDS = List.of("GPU-b", "GPU-a");

    private static TestServer server;
    private static dev.berth.kube.Cluster cluster;
    private static Cache<Node> nodes;
    private static Pods pods;
    private static NamedLedgers byIndex;
    private static NamedLedgers byUuid;

    /** The two cards of every node by their UUIDs. */
    private static List<Device> labelled(NodeName node) {
        return UUIDS.stream()
                .map(uuid -> new Device(new DeviceId(uuid), node).withUuid(uuid))
                .toList();
    }

    @BeforeAll
    static void start() {
        server = new TestServer();
        cluster = server.connect();
        NodeLedgerDefinition.install(cluster);
        nodes = Cache.of(cluster, Listing.of(Node.class));
        pods = new Pods(cluster);
        byIndex = opened(new DoorCards(Door.PINNER, nodes, pods, node -> Device.numbered(node, 2)));
        byUuid = opened(new DoorCards(Door.ASSIGNER, nodes, pods, NamedLedgersTest::labelled));
        nodes.start();
        pods.start();
    }

    private static NamedLedgers opened(DoorCards cards) {
        var ledgers = NamedLedgers.shared(cluster, cards);
        cards.onChange(ledgers::renamed);
        return ledgers;
    }

    @AfterAll
    static void stop() {
        byIndex.close();
        byUuid.close();
        pods.close();
        nodes.close();
        server.close();
    }

    private static NodeName node(String name, Map<String, String> annotations) {
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withAnnotations(annotations)
                        .endMetadata()
                        .build())
                .create();
        await("the node to be known", () -> nodes.find("", name).isPresent());
        return new NodeName(name);
    }

    private static Map<String, String> published() {
        return Map.of(CardUuids.ANNOTATION, CardUuids.text(UUIDS));
    }

    private static boolean take(NodeLedgers ledgers, NodeName node, Door door, String card, String pod) {
        var entry = Entry.confirmed(new DeviceId(card), Holder.pod(door, "default", pod, "uid-" + pod), Share.WHOLE);
        var outcome = ledgers.decide(
                node,
                holdings -> holdings.obstacle(entry).isPresent()
                        ? new Decision.Decided<>(holdings, false)
                        : new Decision.Decided<>(holdings.taking(entry), true),
                SOON);
        return outcome.equals(new LedgerOutcome.Settled<>(true));
    }

    private static List<String> written(NodeName node) {
        return cluster.client().resources(NodeLedger.class).withName(node.value()).get().getSpec().entries().stream()
                .map(entry -> entry.device().value())
                .distinct()
                .toList();
    }

    @Test
    void aCardIsTakenOnceWhateverItIsCalled() {
        var node = node("matched", published());

        assertThat(take(byUuid, node, Door.ASSIGNER, "GPU-a", "anna")).isTrue();
        assertThat(take(byIndex, node, Door.PINNER, "1", "bert")).isFalse();
        assertThat(take(byIndex, node, Door.PINNER, "0", "bert")).isTrue();
        assertThat(take(byUuid, node, Door.ASSIGNER, "GPU-b", "carl")).isFalse();
        assertThat(written(node)).containsExactly("GPU-a", "GPU-b");
    }

    @Test
    void aNodeIsClosedToOthersUntilItsCardsAreMatched() {
        var node = node("later", Map.of());
        assertThat(take(byUuid, node, Door.ASSIGNER, "GPU-a", "dora")).isTrue();
        assertThat(take(byIndex, node, Door.PINNER, "0", "emil")).isFalse();
        assertThat(take(byIndex, node, Door.PINNER, "1", "emil")).isFalse();
        BlockingQueue<NodeName> told = new LinkedBlockingQueue<>();
        byIndex.onChange((page, before, after) -> {
            if (before.freedBy(after)) {
                told.add(page);
            }
        });

        cluster.client()
                .nodes()
                .withName("later")
                .edit(found -> new NodeBuilder(found)
                        .editMetadata()
                        .addToAnnotations(published())
                        .endMetadata()
                        .build());

        await("word of the freed card", () -> told.contains(node));
        assertThat(take(byIndex, node, Door.PINNER, "1", "emil")).isFalse();
        assertThat(take(byIndex, node, Door.PINNER, "0", "emil")).isTrue();
    }

    @Test
    void aPodWithCountedGpusLeavesOneCardLess() {
        var node = node("counted", published());
        cluster.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("plain")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("counted")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .withNewResources()
                        .addToLimits("nvidia.com/gpu", new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();

        await("the pod to be counted", () -> !byIndex.ledger().of(node).free(DeviceId.ofIndex(1)));

        assertThat(take(byIndex, node, Door.PINNER, "1", "fritz")).isFalse();
        assertThat(take(byIndex, node, Door.PINNER, "0", "fritz")).isTrue();
        assertThat(take(byUuid, node, Door.ASSIGNER, "GPU-a", "gerd")).isFalse();
    }
}
