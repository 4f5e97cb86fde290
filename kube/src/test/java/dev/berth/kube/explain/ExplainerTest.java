package dev.berth.kube.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplainerTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final Holder HOLDER = Holder.pod(Door.EXTENDER, "default", "holder", "uid-1");

    private final TestServer server = new TestServer();
    private Cluster cluster;

    @BeforeEach
    void connect() {
        cluster = server.connect();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A door of the test's own. */
    private record Stub(Door door, List<Device> published, List<Entry> records, Answer says) implements Advocate {
        @Override
        public List<Device> devices(NodeName node) {
            return node.equals(NODE) ? published : List.of();
        }

        @Override
        public Collection<Entry> shown(NodeName node) {
            return node.equals(NODE) ? records : List.of();
        }

        @Override
        public boolean takes(Pod pod) {
            return true;
        }

        @Override
        public String asks(Pod pod) {
            return "a GPU";
        }

        @Override
        public Answer answer(Pod pod, Ledger ledger) {
            return says;
        }

        @Override
        public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
            return says;
        }
    }

    private static Stub publishing(Door door, Device... devices) {
        return new Stub(door, List.of(devices), List.of(), new Answer.Waits(Map.of()));
    }

    private Lookout lookout(Advocate... advocates) {
        List<Function<Lookout, Advocate>> doors = new ArrayList<>();
        for (var advocate : advocates) {
            doors.add(_ -> advocate);
        }
        var lookout = Lookout.start(cluster, doors);
        assertThat(lookout.awaitSynced(Duration.ofSeconds(20))).isTrue();
        return lookout;
    }

    private void node(String name, boolean cordoned) {
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withUnschedulable(cordoned)
                        .endSpec()
                        .build())
                .create();
    }

    private NodeReport report(Lookout lookout) {
        return new Explainer(lookout).node(lookout.nodes().find("", "n1").orElseThrow(), lookout.picture());
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("asked")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    @Test
    void oneDeviceUnderThreeNamesIsOneCell() {
        node("n1", false);
        var claimed = new Device(new DeviceId("pool/gpu-0"), NODE)
                .withIndex(0)
                .withUuid("GPU-0")
                .withAttributes(Map.of("product-name", new Attribute.Text("A100")));
        var labelled = new Device(new DeviceId("GPU-0"), NODE).withUuid("GPU-0");
        var numbered = new Device(DeviceId.ofIndex(0), NODE).withIndex(0);
        try (var lookout = lookout(
                publishing(Door.PINNER, numbered),
                publishing(Door.ASSIGNER, labelled),
                publishing(Door.CLAIMS, claimed))) {
            var report = report(lookout);

            assertThat(report.cells()).hasSize(1);
            assertThat(report.cells().getFirst().model()).isEqualTo("A100");
            assertThat(report.cells().getFirst().doors())
                    .containsExactlyInAnyOrder(Door.PINNER, Door.ASSIGNER, Door.CLAIMS);
        }
    }

    @Test
    void countedGpusGiveWayToThoseThatADoorNames() {
        node("n1", false);
        try (var lookout = lookout(
                publishing(Door.OUTSIDE, new Device(DeviceId.ofIndex(0), NODE).withIndex(0)),
                publishing(Door.ASSIGNER, new Device(new DeviceId("GPU-7"), NODE).withUuid("GPU-7")))) {
            assertThat(report(lookout).cells())
                    .singleElement()
                    .satisfies(cell -> assertThat(cell.device().id().value()).isEqualTo("GPU-7"));
        }
    }

    @Test
    void whatADoorsRecordsShowIsHeldEvenWhereNoLedgerKnows() {
        node("n1", true);
        var device = new Device(DeviceId.ofIndex(0), NODE)
                .withIndex(0)
                .inParts()
                .withCapacities(Map.of("cores", Capacity.of(Quantity.of(100)), "memory", Capacity.of(Quantity.of(10))));
        var part = new Share.Part(Map.of("cores", Quantity.of(40), "memory", Quantity.of(8)));
        var held = Entry.confirmed(DeviceId.ofIndex(0), HOLDER, part);
        var stray = Entry.confirmed(new DeviceId("9"), HOLDER, Share.WHOLE);
        try (var lookout =
                lookout(new Stub(Door.EXTENDER, List.of(device), List.of(held, stray), new Answer.Waits(Map.of())))) {
            var report = report(lookout);

            assertThat(report.state()).isEqualTo("cordoned");
            var cell = report.cells().getFirst();
            assertThat(cell.entries()).containsExactly(held);
            assertThat(cell.parts()).isEqualTo(Map.of("cores", 0.4, "memory", 0.8));
            assertThat(cell.held()).isEqualTo(0.8);
            assertThat(report.stray()).containsExactly(stray);
        }
    }

    @Test
    void whatADoorGaveOutIsMeasuredByThatDoor() {
        node("n1", false);
        var inBytes = new Device(new DeviceId("pool/gpu-0"), NODE)
                .withIndex(0)
                .withCapacities(Map.of("memory", Capacity.of(Quantity.of(16_000_000))));
        var inBlocks = new Device(DeviceId.ofIndex(0), NODE)
                .withIndex(0)
                .withCapacities(Map.of("memory", Capacity.of(Quantity.of(60))));
        var part = new Share.Part(Map.of("memory", Quantity.of(15)));
        var held = Entry.confirmed(DeviceId.ofIndex(0), HOLDER, part);
        try (var lookout = lookout(
                publishing(Door.CLAIMS, inBytes),
                new Stub(Door.EXTENDER, List.of(inBlocks), List.of(held), new Answer.Waits(Map.of())))) {
            var cell = report(lookout).cells().getFirst();

            assertThat(cell.parts()).isEqualTo(Map.of("memory", 0.25));
            assertThat(cell.names()).containsExactly(DeviceId.ofIndex(0), new DeviceId("pool/gpu-0"));
        }
    }

    @Test
    void aRefusalSpeaksOfEveryNodeAlsoOfThoseThatTheDoorDoesNotKnow() {
        node("n1", false);
        node("n2", false);
        var says = new Answer.Waits(Map.of(NODE, Objection.taken("taken", "wants 1, 0 free", 1, "")));
        try (var lookout = lookout(new Stub(Door.ASSIGNER, List.of(), List.of(), says))) {
            var report = new Explainer(lookout).pod(pod(), lookout.picture());

            assertThat(report.fits()).isFalse();
            assertThat(report.node()).isEqualTo(Optional.empty());
            assertThat(report.opinions().getFirst().answer().objections()).containsOnlyKeys(NODE, new NodeName("n2"));
            assertThat(ReportJson.of(report).at("/doors/0/nearest/node").asText())
                    .isEqualTo("n1");
        }
    }
}
