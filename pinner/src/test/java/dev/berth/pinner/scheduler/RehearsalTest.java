package dev.berth.pinner.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Ledger;
import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private static Node node(String name) {
        var room = Map.of(
                "cpu",
                new Quantity("4"),
                "memory",
                new Quantity("8Gi"),
                "pods",
                new Quantity("9"),
                "nvidia.com/gpu",
                new Quantity("2"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private static PodBuilder replica(String map) {
        return new PodBuilder()
                .withNewMetadata()
                .addToAnnotations(Keys.MAP, map)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToRequests("cpu", new Quantity("3"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    private static Pod named(String name, String map) {
        return replica(map)
                .editMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .build();
    }

    private static Pod running(Pod pod, String node) {
        return new PodBuilder(pod)
                .editMetadata()
                .withUid("uid-" + pod.getMetadata().getName())
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    @Test
    void aReplicaThatRunsIsNotInItsOwnWay() {
        var replica = named("app-0", "0=n1:0");

        var lines = new Rehearsal(
                        List.of(node("n1")),
                        List.of(running(replica, "n1"), running(named("other-0", "0=n1:1"), "n2")),
                        Ledger.EMPTY,
                        false)
                .of(List.of(replica));

        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.waiting()).isEmpty());
    }

    @Test
    void othersThatRunAreInTheWay() {
        var lines = new Rehearsal(
                        List.of(node("n1")), List.of(running(named("other-0", "0=n1:1"), "n1")), Ledger.EMPTY, false)
                .of(List.of(named("app-0", "0=n1:0")));

        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.waiting())
                        .hasValueSatisfying(why -> assertThat(why).contains("Insufficient cpu")));
    }

    @Test
    void whatOnlyAServerWouldGiveAPodIsMadeUp() {
        var nameless = replica("0=n1:0")
                .editMetadata()
                .withGenerateName("app-")
                .endMetadata()
                .build();
        var homeless =
                replica("0=n1:0").editMetadata().withName("app-0").endMetadata().build();

        var lines = new Rehearsal(List.of(node("n1")), List.of(), Ledger.EMPTY, false).of(List.of(nameless, homeless));

        assertThat(lines).extracting(Rehearsal.Line::replica).containsExactly("app-*", "app-0");
        assertThat(lines.getFirst().waiting()).isPresent();
        assertThat(lines.getLast().waiting()).isEmpty();
    }
}
