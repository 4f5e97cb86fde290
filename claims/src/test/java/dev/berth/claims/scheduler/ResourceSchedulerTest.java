package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

    @BeforeEach
    void start() {
        stage.scheduler("berth");
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
                """);
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private void slice(String node, int devices, String more) {
        var names = new ArrayList<String>();
        for (int i = 0; i < devices; i++) {
            names.add("{name: gpu-%d%s}".formatted(i, more));
        }
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-gpus}
                spec:
                  driver: gpu.example.com
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  nodeName: %s
                  devices: [%s]
                """.formatted(node, node, node, String.join(", ", names)));
    }

    private void claim(String name) {
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s, namespace: default}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """.formatted(name));
    }

    private void pod(String name, String scheduler, String claim) {
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  schedulerName: %s
                  resourceClaims: [{name: gpu, %s}]
                  containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]
                """.formatted(name, scheduler, claim));
    }

    private void podWithClaim(String name, String scheduler) {
        claim(name + "-claim");
        pod(name, scheduler, "resourceClaimName: %s-claim".formatted(name));
    }

    private JsonNode claimNow(String name) {
        var client = stage.cluster().client();
        return client.getKubernetesSerialization()
                .unmarshal(
                        client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/" + name, "GET", null),
                        JsonNode.class);
    }

    private String device(String claim) {
        var result = claimNow(claim).at("/status/allocation/devices/results/0");
        return result.isMissingNode()
                ? ""
                : result.path("pool").asText() + "/" + result.path("device").asText();
    }

    @Test
    void aPodGetsTheDevicesOfItsClaimAndItsNode() {
        stage.node("n1", 0);
        slice("n1", 2, "");
        podWithClaim("p", "berth");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        var claim = claimNow("p-claim");
        assertThat(device("p-claim")).isEqualTo("n1/gpu-0");
        assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("p");
        assertThat(claim.at("/status/allocation/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText())
                .isEqualTo("n1");
        assertThat(claim.at("/metadata/finalizers/0").asText()).isEqualTo("resource.kubernetes.io/delete-protection");
    }

    @Test
    void whoFindsNothingIsToldWhyAndServedWhenADeviceComesFree() {
        stage.node("n1", 0);
        slice("n1", 1, "");
        podWithClaim("first", "berth");
        stage.awaitNode("first");
        podWithClaim("second", "berth");
        assertThat(stage.awaitRefusal("second")).contains("gpu wants 1 device", "held by default/first");

        stage.delete("first");

        assertThat(stage.awaitNode("second")).isEqualTo("n1");
        Stage.await("the first claim is free", () -> device("first-claim").isEmpty());
        assertThat(claimNow("first-claim").at("/metadata/finalizers").isEmpty()).isTrue();
        assertThat(device("second-claim")).isEqualTo("n1/gpu-0");
    }

    @Test
    void twoPodsShareAClaim() {
        stage.node("n1", 0);
        stage.node("n2", 0);
        slice("n2", 1, "");
        claim("shared");
        pod("a", "berth", "resourceClaimName: shared");
        pod("b", "berth", "resourceClaimName: shared");

        assertThat(stage.awaitNode("a")).isEqualTo("n2");
        assertThat(stage.awaitNode("b")).isEqualTo("n2");
        assertThat(claimNow("shared").at("/status/reservedFor")).hasSize(2);
    }

    @Test
    void aPodWaitsForTheClaimThatIsMadeFromItsTemplate() {
        stage.node("n1", 0);
        slice("n1", 1, "");
        pod("p", "berth", "resourceClaimTemplateName: some");
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
        assertThat(device("p-gpu-x7")).isEqualTo("n1/gpu-0");
    }

    @Test
    void aPodIsBoundWhenItsDevicesAreReady() {
        stage.node("n1", 0);
        slice("n1", 1, ", bindingConditions: [ready], bindingFailureConditions: [failed]");
        podWithClaim("p", "berth");
        Stage.await("the claim is allocated", () -> !device("p-claim").isEmpty());
        assertThat(stage.nodeOf("p")).isEmpty();

        var claim = (com.fasterxml.jackson.databind.node.ObjectNode) claimNow("p-claim");
        var status = claim.withObject("/status").putArray("devices").addObject();
        status.put("driver", "gpu.example.com").put("pool", "n1").put("device", "gpu-0");
        status.putArray("conditions")
                .addObject()
                .put("type", "ready")
                .put("status", "True")
                .put("reason", "Prepared")
                .put("message", "")
                .put("lastTransitionTime", "2026-01-01T00:00:00Z");
        stage.cluster()
                .client()
                .raw(
                        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/p-claim/status",
                        "PUT",
                        claim.toString());

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void twoSchedulersNeverGiveADeviceTwice() {
        stage.scheduler("other");
        stage.node("n1", 0);
        slice("n1", 16, "");
        for (int i = 0; i < 16; i++) {
            podWithClaim("p" + i, i % 2 == 0 ? "berth" : "other");
        }

        var devices = new ArrayList<String>();
        for (int i = 0; i < 16; i++) {
            stage.awaitNode("p" + i);
            devices.add(device("p%d-claim".formatted(i)));
        }
        assertThat(devices).doesNotHaveDuplicates().doesNotContain("");
    }

    @Test
    void aPodOfThePrototypeAndOneOfTheApiLiveSideBySide() {
        stage.node("n1", 1);
        slice("n1", 1, "");
        stage.gpuPod("old");
        podWithClaim("new", "berth");

        assertThat(stage.awaitNode("old")).isEqualTo("n1");
        assertThat(stage.awaitNode("new")).isEqualTo("n1");
    }

    @Test
    void aCardStaysHeldWhileItsSliceIsAway() {
        stage.node("n1", 0);
        slice("n1", 1, "");
        podWithClaim("p", "berth");
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
