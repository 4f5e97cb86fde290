package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The running scheduler where claims of {@code resource.k8s.io/v1} are not all there is to a pod. */
class ResourceEdgesTest {
    private static final String CONDITIONS = ", bindingConditions: [ready], bindingFailureConditions: [failed]";

    private final Stage stage = new Stage();
    private final ResourceStage resources = new ResourceStage(stage);

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void anExtendedResourceIsMetByTheDevicesOfItsClass() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        resources.slice("n1", 3, "");
        resources.podByNumber("p", 2);

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        var status = stage.pod("p").getStatus().getExtendedResourceClaimStatus();
        assertThat(status.getResourceClaimName()).startsWith("p-extended-resources-");
        assertThat(status.getRequestMappings()).singleElement().satisfies(mapping -> {
            assertThat(mapping.getContainerName()).isEqualTo("main");
            assertThat(mapping.getResourceName()).isEqualTo("example.com/gpu");
            assertThat(mapping.getRequestName()).isEqualTo("container-0-request-0");
        });
        var claim = resources.claimNow(status.getResourceClaimName());
        assertThat(claim.at("/metadata/annotations").toString())
                .contains("\"resource.kubernetes.io/extended-resource-claim\":\"true\"");
        assertThat(claim.at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(stage.pod("p").getMetadata().getUid());
        assertThat(claim.at("/status/allocation/devices/results")).hasSize(2);
        assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("p");

        resources.podByNumber("next", 2);
        assertThat(stage.awaitRefusal("next"))
                .contains("container-0-request-0 wants 2 devices, of 3: 2 held by default/p, 1 free");
        assertThat(stage.cluster()
                        .client()
                        .raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", "GET", null))
                .doesNotContain("next-extended-resources");

        stage.delete("p");
        assertThat(stage.awaitNode("next")).isEqualTo("n1");
    }

    @Test
    void anExtendedResourceThatANodeCountsItselfNeedsNoDevices() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        stage.cluster().client().raw("/api/v1/nodes/n1/status", "PUT", """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {
                  "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110", "example.com/gpu": "1"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """);
        resources.podByNumber("p", 1);

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        assertThat(stage.pod("p").getStatus().getExtendedResourceClaimStatus()).isNull();
    }

    /** kube-scheduler does not look at the namespace either: it is the API server that refuses. */
    @Test
    void adminAccessThatTheNamespaceMayNoLongerHaveIsNotGranted() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        label("\"true\"");
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: watches, namespace: default}
                spec:
                  devices:
                    requests: [{name: gpu, exactly: {deviceClassName: gpu, allocationMode: All, adminAccess: true}}]
                """);
        label("null");
        resources.pod("p", "berth", "resourceClaimName: watches");

        Stage.await(
                "an event says why",
                () -> stage.cluster()
                        .client()
                        .raw("/apis/events.k8s.io/v1/namespaces/default/events", "GET", null)
                        .contains("requires the `resource.kubernetes.io/admin-access: true` label"));
        assertThat(resources.device("watches")).isEmpty();

        label("\"true\"");
        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    private void label(String value) {
        stage.cluster()
                .client()
                .namespaces()
                .withName("default")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"resource.kubernetes.io/admin-access\":%s}}}".formatted(value));
    }

    @Test
    void aPodHasClaimsOfOneKindOnly() {
        stage.scheduler("berth");
        stage.node("n1", 1);
        resources.slice("n1", 1, "");
        resources.claim("c");
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p
                  namespace: default
                  annotations: {devmgmtproto.k8s.io/device-claims: '%s'}
                spec:
                  schedulerName: berth
                  resourceClaims: [{name: gpu, resourceClaimName: c}]
                  containers: [{name: main, image: none}]
                """.formatted(Stage.GPU_CLAIM));

        assertThat(stage.awaitRefusal("p"))
                .contains("it has claims of resource.k8s.io and of the prototype; a pod has one or the other");
    }

    @Test
    void aDeviceThatCouldNotBePreparedIsGivenBack() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        resources.slice("n1", 1, CONDITIONS);
        resources.podWithClaim("p", "berth");
        Stage.await("the claim is allocated", () -> !resources.device("p-claim").isEmpty());
        var first = resources
                .claimNow("p-claim")
                .at("/status/allocation/allocationTimestamp")
                .asText();
        assertThat(first).isNotEmpty();

        resources.report("p-claim", "failed");

        Stage.await(
                "the report is gone",
                () -> resources.claimNow("p-claim").at("/status/devices").isEmpty());
        assertThat(stage.nodeOf("p")).isEmpty();
        Stage.await("it is tried again", () -> !resources.device("p-claim").isEmpty());
        resources.report("p-claim", "ready");
        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void aDeviceThatIsNeverReadyIsGivenBackInTime() {
        stage.scheduler("berth", "berth-lease", Duration.ofSeconds(1));
        stage.node("n1", 0);
        resources.slice("n1", 1, CONDITIONS);
        resources.podWithClaim("p", "berth");

        Stage.await("the claim is allocated", () -> !resources.device("p-claim").isEmpty());
        Stage.await("it is given back", () -> resources.device("p-claim").isEmpty());
        assertThat(stage.nodeOf("p")).isEmpty();
    }

    @Test
    void podsThatWaitForTheirDevicesKeepNobodyFromBeingPlaced() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        stage.node("n2", 0);
        resources.slice("n1", 70, CONDITIONS);
        for (int i = 0; i < 70; i++) {
            resources.podWithClaim("waits-" + i, "berth");
        }
        for (int i = 0; i < 70; i++) {
            var claim = "waits-%d-claim".formatted(i);
            Stage.await(claim + " is allocated", () -> !resources.device(claim).isEmpty());
        }
        resources.slice("n2", 1, "");
        resources.podWithClaim("next", "berth");

        assertThat(stage.awaitNode("next")).isEqualTo("n2");
    }

    @Test
    void podsWithClaimsAreSpreadAndKeepApartAsTheySay() {
        stage.scheduler("berth");
        for (var node : new String[] {"n1", "n2", "n3"}) {
            stage.node(node, 0);
            stage.patchNode(node, "{\"metadata\": {\"labels\": {\"kubernetes.io/hostname\": \"%s\"}}}".formatted(node));
            resources.slice(node, 4, "");
        }
        var spread = """
                topologySpreadConstraints:
                  - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule,
                     labelSelector: {matchLabels: {app: spread}}}
                """;
        var apart = """
                affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
                    {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: spread}}}]}}
                """;
        for (int i = 0; i < 3; i++) {
            ruled("spread-" + i, spread);
            stage.awaitNode("spread-" + i);
        }

        assertThat(new String[] {stage.nodeOf("spread-0"), stage.nodeOf("spread-1"), stage.nodeOf("spread-2")})
                .containsExactlyInAnyOrder("n1", "n2", "n3");
        ruled("apart", apart);
        assertThat(stage.awaitRefusal("apart")).contains("didn't match pod anti-affinity rules");
    }

    private void ruled(String name, String rule) {
        resources.claim(name + "-claim");
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, labels: {app: spread}}
                spec:
                  schedulerName: berth
                  resourceClaims: [{name: gpu, resourceClaimName: %s-claim}]
                  containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]
                  %s
                """.formatted(name, name, rule.strip()));
    }
}
