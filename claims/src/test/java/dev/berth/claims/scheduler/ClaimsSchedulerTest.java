package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.demand.ClaimEntries;
import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.ledger.Evidence;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimsSchedulerTest {
    private final Stage stage = new Stage();

    @BeforeEach
    void start() {
        stage.scheduler("berth");
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private static boolean free(JsonNode claim) {
        return claim.at("/status/allocations").isEmpty();
    }

    @Test
    void aPodGetsItsDeviceAndItsNode() {
        stage.node("n1", 2);
        stage.gpuPod("p");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        var claim = stage.claim("p-gpu");
        assertThat(stage.devicesOf("p-gpu")).containsExactly("n1-pool/dev-00");
        assertThat(claim.at("/status/podNames/0").asText()).isEqualTo("p");
        assertThat(claim.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("p");
        Stage.await(
                "the event is told",
                () -> stage.cluster().client().events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> event.getReason().equals("Scheduled")
                                && event.getNote()
                                        .startsWith(
                                                "Successfully assigned default/p to n1 with gpu on n1-pool/dev-00")));
    }

    @Test
    void aPodWithoutClaimsGoesWhereThereIsRoom() {
        stage.node("n1", 0);
        stage.node("n2", 0);
        stage.pod("large", "berth", "", "3");
        assertThat(stage.awaitNode("large")).isEqualTo("n1");

        stage.pod("second", "berth", "", "3");

        assertThat(stage.awaitNode("second")).isEqualTo("n2");
        stage.pod("third", "berth", "", "3");
        assertThat(stage.awaitRefusal("third"))
                .isEqualTo("Unschedulable: 0/2 nodes are available: 2 Insufficient cpu (n1: wants 3, 1 of 4 free).");
    }

    @Test
    void whoFindsNothingIsToldWhyAndServedWhenSomethingComesFree() {
        stage.node("n1", 1);
        stage.gpuPod("first");
        stage.awaitNode("first");
        stage.gpuPod("second");
        assertThat(stage.awaitRefusal("second"))
                .startsWith("Unschedulable: 0/1 nodes are available: ")
                .contains("held by default/first");

        stage.delete("first");

        assertThat(stage.awaitNode("second")).isEqualTo("n1");
        assertThat(stage.devicesOf("second-gpu")).containsExactly("n1-pool/dev-00");
    }

    @Test
    void aPodThatEndedGivesItsDeviceBack() {
        stage.node("n1", 1);
        stage.gpuPod("p");
        stage.awaitNode("p");

        stage.finish("p");

        stage.awaitClaim("p-gpu", ClaimsSchedulerTest::free);
        stage.gpuPod("next");
        stage.awaitNode("next");
    }

    @Test
    void podsThatShareAClaimLandOnItsNodeAndTheLastOneFreesIt() {
        stage.node("n1", 1);
        stage.node("n2", 1);
        stage.apply("""
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClaim
                metadata: {name: ours, namespace: default}
                spec: {devices: [{name: gpu, class: gpu}]}
                """);
        var shared = "{\"deviceClaims\": {\"claimName\": \"ours\"}}";
        stage.pod("a", "berth", shared, "10m");
        stage.pod("b", "berth", shared, "10m");
        assertThat(stage.awaitNode("a")).isEqualTo(stage.awaitNode("b"));
        stage.awaitClaim("ours", claim -> claim.at("/status/podNames").size() == 2);

        stage.delete("a");
        stage.awaitClaim("ours", claim -> claim.at("/status/podNames").size() == 1 && !free(claim));
        stage.delete("b");
        stage.awaitClaim("ours", ClaimsSchedulerTest::free);
    }

    @Test
    void aDeviceOnTheNetworkIsHeldOnAPageOfItsOwn() {
        stage.node("n1", 0);
        stage.node("n2", 0);
        stage.pool("vlans", "attributes: []", 1);
        stage.gpuPod("p");
        stage.awaitNode("p");
        assertThat(stage.devicesOf("p-gpu")).containsExactly("vlans/dev-00");

        stage.gpuPod("second");

        assertThat(stage.awaitRefusal("second")).contains("0/2 nodes are available");
        stage.delete("p");
        stage.awaitNode("second");
    }

    @Test
    void aClassThatDoesNotExistIsNamedAndThePodGoesOnWhenItDoes() {
        stage.node("n1", 1);
        stage.pod("p", "berth", Stage.GPU_CLAIM.replace("\"class\": \"gpu\"", "\"class\": \"tpu\""), "10m");
        assertThat(stage.awaitRefusal("p")).contains("the class tpu does not exist");

        stage.apply("""
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: tpu}
                spec: {definition: {driver: gpus}}
                """);

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void podsOfAnotherSchedulerAreLeftAlone() {
        stage.node("n1", 1);
        stage.pod("theirs", "someone-else", Stage.GPU_CLAIM, "10m");
        stage.gpuPod("ours");
        stage.awaitNode("ours");

        assertThat(stage.nodeOf("theirs")).isEmpty();
    }

    @Test
    void twoSchedulersNeverGiveOneDeviceTwice() {
        stage.scheduler("other");
        stage.node("n1", 10);
        for (int i = 0; i < 10; i++) {
            stage.gpuPod("a" + i);
            stage.pod("b" + i, "other", Stage.GPU_CLAIM, "10m");
        }
        Stage.await("ten of twenty have a node, and ten are told why not", () -> {
            long bound = 0;
            long refused = 0;
            for (int i = 0; i < 10; i++) {
                for (var name : new String[] {"a" + i, "b" + i}) {
                    bound += stage.nodeOf(name).isEmpty() ? 0 : 1;
                    refused += stage.whyNot(name).isEmpty() ? 0 : 1;
                }
            }
            return bound == 10 && refused >= 10;
        });
        var devices = new java.util.ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            for (var name : new String[] {"a" + i, "b" + i}) {
                if (!stage.nodeOf(name).isEmpty()) {
                    devices.addAll(stage.devicesOf(name + "-gpu"));
                }
            }
        }
        assertThat(devices).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void theNextReplicaTakesOverWhenTheLeaderStops() {
        stage.node("n1", 4);
        var first = stage.scheduler("berth", "one-lease");
        Stage.await("the first leads", first::leading);
        var second = stage.scheduler("berth", "one-lease");
        assertThat(second.leading()).isFalse();

        first.close();

        Stage.await("the second leads", second::leading);
        stage.gpuPod("p");
        stage.awaitNode("p");
    }

    @Test
    void aCardStaysHeldWhileItsPoolIsAway() {
        stage.node("n1", 1);
        stage.gpuPod("p");
        stage.awaitNode("p");
        stage.cluster().client().raw("/apis/devmgmtproto.k8s.io/v1alpha1/devicepools/n1-pool", "DELETE", null);

        try (var world = new ClaimsWorld(stage.cluster())) {
            world.start();
            assertThat(world.awaitSynced(Duration.ofSeconds(20))).isTrue();
            var claim = world.book().all().iterator().next();
            var card = Entry.confirmed(new DeviceId("GPU-of-n1"), ClaimEntries.holder(claim), Share.WHOLE);

            var look = new ClaimEvidence(world.book(), world.catalogue(), world::synced).look(new NodeName("n1"), card);

            assertThat(look).isEqualTo(Evidence.Look.STILL_HELD);
        }
    }
}
