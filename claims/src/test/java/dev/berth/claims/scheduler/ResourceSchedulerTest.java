package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.claims.dra.status.Held;
import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.ledger.Evidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The running scheduler and claims of {@code resource.k8s.io/v1}. */
class ResourceSchedulerTest {
    private final Stage stage = new Stage();
    private final ResourceStage resources = new ResourceStage(stage);

    @BeforeEach
    void start() {
        stage.scheduler("berth");
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void aPodGetsTheDevicesOfItsClaimAndItsNode() {
        stage.node("n1", 0);
        resources.slice("n1", 2, "");
        resources.podWithClaim("p", "berth");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        var claim = resources.claimNow("p-claim");
        assertThat(resources.device("p-claim")).isEqualTo("n1/gpu-0");
        assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("p");
        assertThat(claim.at("/status/allocation/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText())
                .isEqualTo("n1");
        assertThat(claim.at("/metadata/finalizers/0").asText()).isEqualTo("resource.kubernetes.io/delete-protection");
    }

    @Test
    void whoFindsNothingIsToldWhyAndServedWhenADeviceComesFree() {
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.podWithClaim("first", "berth");
        stage.awaitNode("first");
        resources.podWithClaim("second", "berth");
        assertThat(stage.awaitRefusal("second")).contains("gpu wants 1 device", "held by default/first");

        stage.delete("first");

        assertThat(stage.awaitNode("second")).isEqualTo("n1");
        Stage.await(
                "the first claim is free", () -> resources.device("first-claim").isEmpty());
        assertThat(resources.claimNow("first-claim").at("/metadata/finalizers").isEmpty())
                .isTrue();
        assertThat(resources.device("second-claim")).isEqualTo("n1/gpu-0");
    }

    @Test
    void twoPodsShareAClaim() {
        stage.node("n1", 0);
        stage.node("n2", 0);
        resources.slice("n2", 1, "");
        resources.claim("shared");
        resources.pod("a", "berth", "resourceClaimName: shared");
        resources.pod("b", "berth", "resourceClaimName: shared");

        assertThat(stage.awaitNode("a")).isEqualTo("n2");
        assertThat(stage.awaitNode("b")).isEqualTo("n2");
        assertThat(resources.claimNow("shared").at("/status/reservedFor")).hasSize(2);
    }

    @Test
    void aPodWaitsForTheClaimThatIsMadeFromItsTemplate() {
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.pod("p", "berth", "resourceClaimTemplateName: some");
        var uid = stage.pod("p").getMetadata().getUid();
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata:
                  name: p-gpu-x7
                  namespace: default
                  ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: %s, controller: true}]
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """.formatted(uid));
        assertThat(stage.nodeOf("p")).isEmpty();

        stage.cluster()
                .client()
                .pods()
                .inNamespace("default")
                .withName("p")
                .subresource("status")
                .edit(each -> {
                    var status = new io.fabric8.kubernetes.api.model.PodResourceClaimStatus("gpu", "p-gpu-x7");
                    each.getStatus().setResourceClaimStatuses(List.of(status));
                    return each;
                });

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        assertThat(resources.device("p-gpu-x7")).isEqualTo("n1/gpu-0");
    }

    @Test
    void aPodIsBoundWhenItsDevicesAreReady() {
        stage.node("n1", 0);
        resources.slice("n1", 1, ", bindingConditions: [ready], bindingFailureConditions: [failed]");
        resources.podWithClaim("p", "berth");
        Stage.await("the claim is allocated", () -> !resources.device("p-claim").isEmpty());
        assertThat(stage.nodeOf("p")).isEmpty();

        resources.report("p-claim", "ready");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void aPodWhoseClaimLosesItsDevicesOnTheWayIsNotBoundWithoutThem() {
        stage.node("n1", 0);
        resources.slice("n1", 1, ", bindingConditions: [ready], bindingFailureConditions: [failed]");
        resources.podWithClaim("p", "berth");
        Stage.await("the claim is allocated", () -> !resources.device("p-claim").isEmpty());

        resources.deallocate("p-claim");

        Stage.await(
                "the claim is allocated again",
                () -> !resources.device("p-claim").isEmpty());
        assertThat(stage.nodeOf("p")).isEmpty();
        resources.report("p-claim", "ready");
        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void twoSchedulersNeverGiveADeviceTwice() {
        stage.scheduler("other");
        stage.node("n1", 0);
        resources.slice("n1", 16, "");
        for (int i = 0; i < 16; i++) {
            resources.podWithClaim("p" + i, i % 2 == 0 ? "berth" : "other");
        }

        var devices = new ArrayList<String>();
        for (int i = 0; i < 16; i++) {
            stage.awaitNode("p" + i);
            devices.add(resources.device("p%d-claim".formatted(i)));
        }
        assertThat(devices).doesNotHaveDuplicates().doesNotContain("");
    }

    /** Both lead, under different leases, and try every pod. */
    @Test
    void twoSchedulersOfOneNameNeverGiveADeviceTwice() {
        stage.scheduler("berth", "another-lease");
        stage.node("n1", 0);
        resources.slice("n1", 60, "");
        for (int i = 0; i < 60; i++) {
            resources.podWithClaim("p" + i, "berth");
        }

        var devices = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            stage.awaitNode("p" + i);
            devices.add(resources.device("p%d-claim".formatted(i)));
        }
        assertThat(devices).doesNotHaveDuplicates().doesNotContain("");
    }

    @Test
    void aPodOfThePrototypeAndOneOfTheApiLiveSideBySide() {
        stage.node("n1", 1);
        resources.slice("n1", 1, "");
        stage.gpuPod("old");
        resources.podWithClaim("new", "berth");

        assertThat(stage.awaitNode("old")).isEqualTo("n1");
        assertThat(stage.awaitNode("new")).isEqualTo("n1");
    }

    @Test
    void aCardStaysHeldWhileItsSliceIsAway() {
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.podWithClaim("p", "berth");
        stage.awaitNode("p");
        stage.cluster().client().raw("/apis/resource.k8s.io/v1/resourceslices/n1-gpus", "DELETE", null);

        try (var world = new ClaimsWorld(stage.cluster())) {
            world.start();
            assertThat(world.awaitSynced(Duration.ofSeconds(20))).isTrue();
            var claim = world.resourceBook().all().iterator().next();
            var card = Entry.confirmed(new DeviceId("GPU-of-n1"), Held.holder(claim), Share.WHOLE);
            var evidence = new BothEvidence(
                    new ClaimEvidence(world.book(), world.catalogue(), world::synced),
                    new ResourceEvidence(world.resourceBook(), world.slices(), world::synced));

            assertThat(evidence.look(new NodeName("n1"), card)).isEqualTo(Evidence.Look.STILL_HELD);
        }
    }
}
