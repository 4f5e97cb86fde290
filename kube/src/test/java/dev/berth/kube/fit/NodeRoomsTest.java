package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.nodeObject;
import static dev.berth.kube.fit.Examples.podObject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class NodeRoomsTest {
    private static final NodeName N = new NodeName("n");
    private static final NodeName M = new NodeName("m");

    private final NodeRooms rooms = new NodeRooms();

    private static Node node(String name) {
        return nodeObject(name, "", "", "{type: Ready, status: \"True\"}");
    }

    private static Pod pod(String node, String cpu) {
        return podObject(
                "p",
                "default",
                "",
                "nodeName: \"%s\", containers: [{name: c, image: i, resources: {requests: {cpu: %s}}}]"
                        .formatted(node, cpu));
    }

    private long taken(NodeName node) {
        return rooms.find(node).orElseThrow().taken().of("cpu");
    }

    @Test
    void aPodTakesRoomUntilItEnds() {
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.heardPod(new Change.Added<>(pod("n", "1")));
        assertThat(taken(N)).isEqualTo(1000);

        var ended = pod("n", "1");
        ended.setStatus(new PodStatusBuilder().withPhase("Succeeded").build());
        rooms.heardPod(new Change.Updated<>(pod("n", "1"), ended));

        assertThat(taken(N)).isZero();
    }

    @Test
    void aPodThatIsHeardOfBeforeItsNodeIsNotLost() {
        rooms.heardPod(new Change.Added<>(pod("n", "1")));
        rooms.heardNode(new Change.Added<>(node("n")));

        assertThat(taken(N)).isEqualTo(1000);
    }

    @Test
    void aNodeThatComesBackStillHasItsPods() {
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.heardPod(new Change.Added<>(pod("n", "1")));
        rooms.heardNode(new Change.Removed<>(node("n")));
        assertThat(rooms.find(N)).isEmpty();

        rooms.heardNode(new Change.Added<>(node("n")));

        assertThat(taken(N)).isEqualTo(1000);
    }

    @Test
    void aDecisionCountsBeforeTheClusterShowsItAndOnceAfter() {
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.assume(PodNeeds.of(pod("", "1")), N);
        assertThat(taken(N)).isEqualTo(1000);

        rooms.heardPod(new Change.Added<>(pod("n", "1")));

        assertThat(taken(N)).isEqualTo(1000);
    }

    @Test
    void aDecisionTakenBackLeavesNoTrace() {
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.assume(PodNeeds.of(pod("", "1")), N);
        rooms.takeBack("uid-p");

        assertThat(taken(N)).isZero();
    }

    @Test
    void aDecisionTakenBackIsToldOfOnce() {
        var told = new ArrayList<String>();
        rooms.onTakenBack(told::add);
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.assume(PodNeeds.of(pod("", "1")), N);

        rooms.takeBack("uid-p");
        rooms.takeBack("uid-p");

        assertThat(told).containsExactly("uid-p");
    }

    @Test
    void aPodThatIsSeenThereIsNotTakenBack() {
        rooms.onTakenBack(uid -> fail("taken back: " + uid));
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.assume(PodNeeds.of(pod("", "1")), N);
        rooms.heardPod(new Change.Added<>(pod("n", "1")));
        rooms.takeBack("uid-p");

        assertThat(taken(N)).isEqualTo(1000);
    }

    @Test
    void aPodThatWentElsewhereMoves() {
        rooms.heardNode(new Change.Added<>(node("n")));
        rooms.heardNode(new Change.Added<>(node("m")));
        rooms.assume(PodNeeds.of(pod("", "1")), N);
        rooms.heardPod(new Change.Added<>(pod("m", "1")));

        assertThat(taken(N)).isZero();
        assertThat(taken(M)).isEqualTo(1000);
    }
}
