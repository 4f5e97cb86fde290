package dev.berth.pinner.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.pinner.map.Keys;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinnerSchedulerTest {
    private final Stage stage = new Stage();

    @BeforeEach
    void nodes() {
        stage.node("worker", "node1", 4);
        stage.node("worker2", "node2", 4);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void eachReplicaGoesWhereTheMapSays() {
        stage.scheduler();
        var map = "0=node1:0,1\n1=node2:2\n2=worker2:3";
        for (int i = 0; i < 3; i++) {
            stage.replica("app-" + i, map);
        }

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker");
        assertThat(stage.awaitNode("app-1")).isEqualTo("worker2");
        assertThat(stage.awaitNode("app-2")).as("by the node's own name").isEqualTo("worker2");
        assertThat(stage.find("app-0").getMetadata().getAnnotations()).containsEntry(Keys.PINNED, "0,1");
        assertThat(stage.holders("worker", 0)).containsExactly("app-0");
        assertThat(stage.holders("worker", 1)).containsExactly("app-0");
        Stage.await("Scheduled", () -> !stage.notes("app-0", "Scheduled").isEmpty());
        assertThat(stage.notes("app-0", "Scheduled"))
                .containsExactly(
                        "Successfully assigned default/app-0 to worker with GPU 0,1 (line 1 of its map: 0=node1:0,1)");
    }

    @Test
    void itIsReadyOnceItsWatchIsEstablished() {
        var scheduler = stage.scheduler();

        Stage.await("ready", () -> scheduler.notReady().isEmpty());
    }

    @Test
    void whoeverCannotBePlacedIsToldWhy() {
        stage.node("twin-a", "twin", 1);
        stage.node("twin-b", "twin", 1);
        stage.scheduler();
        stage.replica("none-0", "");
        stage.replica("bad-0", "junk");
        stage.replica("solo", "0=node1:0");
        stage.replica("app-7", "0=node1:0\n1=node1:1");
        stage.replica("lost-0", "0=nowhere:0");
        stage.replica("twins-0", "0=twin:0");
        stage.replica("far-0", "0=node1:3,4,9");
        stage.replica("odd-0", "0=node1:1 # c");

        assertThat(stage.awaitRefusal("none-0", "annotation"))
                .isEqualTo("Unschedulable: the pod has no annotation gpu-scheduling-map that says where it goes");
        assertThat(stage.awaitRefusal("bad-0", "line"))
                .isEqualTo(
                        "Unschedulable: gpu-scheduling-map has no line that can be read: line 1 'junk': it has no '='; a line is ordinal=node:devices");
        stage.awaitRefusal("solo", "the pod is no replica that gpu-scheduling-map could name");
        stage.awaitRefusal("app-7", "gpu-scheduling-map has no line for replica 7, only for 0-1");
        stage.awaitRefusal(
                "lost-0",
                "gpu-scheduling-map sends replica 0 to nowhere: no node has the label gpu-node-name=nowhere, and none is called so");
        stage.awaitRefusal("twins-0", "2 nodes have the label gpu-node-name=twin: twin-a, twin-b");
        stage.awaitRefusal("far-0", "to node1 (worker): there is no GPU 4, 9: it has 0 to 3");
        stage.awaitRefusal("odd-0", "'1 # c' is no GPU of it");
        Stage.await("event", () -> !stage.notes("lost-0", "FailedScheduling").isEmpty());
        Stage.await("event", () -> !stage.notes("bad-0", "MalformedMap").isEmpty());
    }

    @Test
    void aMapThatIsCorrectedSendsThePodOnItsWay() {
        stage.scheduler();
        stage.replica("app-0", "0=node9:0");
        stage.awaitRefusal("app-0", "node9");

        stage.annotate("app-0", "0=node2:0");

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker2");
    }

    @Test
    void aNodeThatIsLabelledLaterGetsItsPods() {
        stage.scheduler();
        stage.replica("app-0", "0=node3:0");
        stage.awaitRefusal("app-0", "node3");

        stage.patchNode("worker2", "{\"metadata\": {\"labels\": {\"gpu-node-name\": \"node3\"}}}");

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker2");
    }

    @Test
    void aNodeThatIsReadyLaterGetsItsPods() {
        stage.ready("worker", false);
        stage.scheduler();
        stage.replica("app-0", "0=node1:0");
        stage.awaitRefusal("app-0", "node(s) were not ready");

        stage.ready("worker", true);

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker");
    }

    @Test
    void aCordonedTaintedOrFullNodeIsLeftAlone() {
        stage.patchNode("worker", "{\"spec\": {\"unschedulable\": true}}");
        stage.patchNode("worker2", "{\"spec\": {\"taints\": [{\"key\": \"a\", \"effect\": \"NoSchedule\"}]}}");
        stage.node("worker3", "node3", 4);
        stage.scheduler();
        stage.replica("cordoned-0", "0=node1:0");
        stage.replica("tainted-0", "0=node2:0");
        var large = Stage.pod("large-0", "0=node3:0");
        large.withObject("/spec/containers/0").withObject("/resources/requests").put("cpu", "5");
        stage.create(large);

        stage.awaitRefusal("cordoned-0", "node(s) were unschedulable");
        stage.awaitRefusal("tainted-0", "untolerated taint(s) (a:NoSchedule)");
        stage.awaitRefusal("large-0", "Insufficient cpu (wants 5, 4 of 4 free)");

        stage.patchNode("worker", "{\"spec\": {\"unschedulable\": null}}");
        assertThat(stage.awaitNode("cordoned-0")).isEqualTo("worker");
    }

    @Test
    void aGpuOfAnotherWorkloadIsNotGivenTwice() {
        stage.scheduler();
        stage.replica("first-0", "0=node1:0");
        stage.awaitNode("first-0");
        stage.replica("second-0", "0=node1:0");

        stage.awaitRefusal("second-0", "to worker: GPU 0 is held by default/first-0 (pinner)");
        stage.delete("first-0");

        assertThat(stage.awaitNode("second-0")).isEqualTo("worker");
        assertThat(stage.holders("worker", 0)).containsExactly("second-0");
    }

    @Test
    void aMapMayGiveOneGpuToTwoReplicasOnPurpose() {
        stage.scheduler();
        var map = "3=node1:3\n4=node1:3";
        stage.replica("app-3", map);
        stage.replica("app-4", map);

        assertThat(stage.awaitNode("app-3")).isEqualTo("worker");
        assertThat(stage.awaitNode("app-4")).isEqualTo("worker");
        assertThat(stage.holders("worker", 3)).containsExactlyInAnyOrder("app-3", "app-4");
        stage.replica("other-0", "0=node1:3");
        stage.awaitRefusal("other-0", "GPU 3 is held by default/app-");
    }

    @Test
    void anExclusiveSchedulerGivesNoGpuTwice() {
        stage.scheduler(true, Optional.empty());
        var map = "3=node1:3\n4=node1:3";
        stage.replica("app-3", map);
        stage.awaitNode("app-3");
        stage.replica("app-4", map);

        stage.awaitRefusal("app-4", "GPU 3 is held by default/app-3 (pinner)");
    }

    @Test
    void aReplicaThatComesBackFindsItsOwnGpu() {
        stage.scheduler();
        stage.replica("app-0", "0=node1:0");
        stage.awaitNode("app-0");
        var before = stage.find("app-0").getMetadata().getUid();

        stage.delete("app-0");
        stage.replica("app-0", "0=node1:0");

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker");
        assertThat(stage.find("app-0").getMetadata().getUid()).isNotEqualTo(before);
        assertThat(stage.notes("app-0", "FailedScheduling")).isEmpty();
    }

    @Test
    void aPodThatIsDeletedWhileItWaitsIsForgotten() {
        stage.scheduler();
        stage.replica("app-0", "0=node3:0");
        stage.awaitRefusal("app-0", "node3");
        stage.delete("app-0");
        stage.replica("app-1", "1=node3:0");

        stage.patchNode("worker", "{\"metadata\": {\"labels\": {\"gpu-node-name\": \"node3\"}}}");

        stage.awaitNode("app-1");
        assertThat(stage.holders("worker", 0)).containsExactly("app-1");
    }

    @Test
    void aNodeThatDoesNotSayHowManyGpusItHasIsBelieved() {
        stage.node("kind-worker", "kind", -1);
        stage.scheduler();
        stage.replica("app-0", "0=kind:0,7");

        assertThat(stage.awaitNode("app-0")).isEqualTo("kind-worker");
    }

    @Test
    void aPodWithoutDevicesHoldsNone() {
        stage.scheduler();
        stage.replica("app-0", "0=node1:");

        assertThat(stage.awaitNode("app-0")).isEqualTo("worker");
        assertThat(stage.holders("worker", 0)).isEmpty();
    }

    @Test
    void containersThatSeeOtherGpusAreReported() {
        stage.scheduler();
        var pod = Stage.pod("app-0", "0=node1:1");
        pod.withObject("/spec/containers/0")
                .putArray("env")
                .addObject()
                .put("name", "CUDA_VISIBLE_DEVICES")
                .put("value", "0");
        stage.create(pod);

        stage.awaitNode("app-0");
        Stage.await("event", () -> !stage.notes("app-0", "VisibleDevicesDiffer").isEmpty());
    }

    @Test
    void allPodsOfANodeCostOneWriteOfItsLedger() {
        var map = "0=node1:0\n1=node1:1\n2=node1:2\n3=node1:3";
        for (int i = 0; i < 4; i++) {
            stage.replica("app-" + i, map);
        }
        stage.scheduler();
        for (int i = 0; i < 4; i++) {
            stage.awaitNode("app-" + i);
        }

        var ledger = stage.cluster()
                .client()
                .genericKubernetesResources("berth.dev/v1alpha1", "NodeLedger")
                .withName("worker")
                .get();
        assertThat(ledger.getMetadata().getGeneration()).isEqualTo(1);
    }

    @Test
    void whatPodsHoldIsKnownToTheNextScheduler() {
        var first = stage.scheduler();
        stage.replica("app-0", "0=node1:0");
        stage.awaitNode("app-0");
        first.close();
        stage.cluster()
                .client()
                .genericKubernetesResources("berth.dev/v1alpha1", "NodeLedger")
                .withName("worker")
                .delete();
        // What the map says later does not change what the pod was bound for.
        stage.annotate("app-0", "0=node1:2");

        stage.scheduler();
        stage.replica("other-0", "0=node1:0");

        stage.awaitRefusal("other-0", "GPU 0 is held by default/app-0 (pinner)");
        assertThat(stage.holders("worker", 2)).isEmpty();
    }

    @Test
    void oneOfTwoReplicasLeadsAndTheOtherTakesOver() {
        var first = stage.scheduler(false, Optional.of("pinner"));
        Stage.await("the first leads", first::leading);
        var second = stage.scheduler(false, Optional.of("pinner"));
        stage.replica("app-0", "0=node1:0\n1=node1:1");
        stage.awaitNode("app-0");
        assertThat(second.leading()).isFalse();

        first.close();

        stage.replica("app-1", "0=node1:0\n1=node1:1");
        assertThat(stage.awaitNode("app-1")).isEqualTo("worker");
        assertThat(List.of(first.leading(), second.leading())).containsExactly(false, true);
    }

    @Test
    void aGpuThatIsNamedByItsUuidIsNotGivenTwice() {
        stage.publishUuids("worker", "GPU-aaa1,GPU-bbb2,GPU-ccc3,GPU-ccc4");
        stage.scheduler();
        stage.replica("first-0", "0=node1:GPU-aaa1");
        stage.awaitNode("first-0");
        stage.replica("same-0", "0=node1:GPU-aaa1");
        stage.replica("index-0", "0=node1:0");
        stage.replica("short-0", "0=node1:GPU-a");

        stage.awaitRefusal("same-0", "GPU 0 is held by default/first-0 (pinner)");
        stage.awaitRefusal("index-0", "GPU 0 is held by default/first-0 (pinner)");
        stage.awaitRefusal("short-0", "GPU 0 is held by default/first-0 (pinner)");
    }

    @Test
    void aUuidThatTheNodeDoesNotHaveIsRefused() {
        stage.publishUuids("worker", "GPU-aaa1,GPU-bbb2,GPU-ccc3,GPU-ccc4");
        stage.scheduler();
        stage.replica("lost-0", "0=node1:GPU-zzz");
        stage.replica("either-0", "0=node1:GPU-c");
        stage.replica("believed-0", "0=node2:GPU-zzz");

        stage.awaitRefusal("lost-0", "to node1 (worker): 'GPU-zzz' is no GPU of it");
        stage.awaitRefusal("either-0", "to node1 (worker): 'GPU-c' is no GPU of it");
        assertThat(stage.awaitNode("believed-0")).isEqualTo("worker2");
    }

    @Test
    void allGpusOfANodeThatDoesNotSayHowManyItHasAreHeld() {
        stage.node("kind-worker", "kind", -1);
        stage.scheduler();
        stage.replica("first-0", "0=kind:all");
        stage.awaitNode("first-0");
        stage.replica("second-0", "0=kind:0");

        stage.awaitRefusal("second-0", "GPU 0 is held by default/first-0 (pinner)");
    }

    @Test
    void whoSharesAGpuIsToldWhateverTheMapCallsItsNode() {
        stage.scheduler();
        var map = "0=node1:2\n1=worker:2";
        stage.replica("app-0", map);
        stage.awaitNode("app-0");
        stage.replica("app-1", map);

        assertThat(stage.awaitNode("app-1")).isEqualTo("worker");
        Stage.await("event", () -> !stage.notes("app-1", "SharedGpu").isEmpty());
        assertThat(stage.notes("app-1", "SharedGpu"))
                .containsExactly("gpu-scheduling-map gives GPU 2 of worker to replica 0 as well: they share it");
    }

    @Test
    void badLinesThatAreNotToldAreCounted() {
        stage.scheduler();
        stage.replica("app-0", "0=node1:0\n" + "junk\n".repeat(9));

        Stage.await("events", () -> stage.notes("app-0", "MalformedMap").size() == 6);
        assertThat(stage.notes("app-0", "MalformedMap")).contains("gpu-scheduling-map: and 4 more lines");
    }
}
