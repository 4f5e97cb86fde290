package dev.berth.apiserver.controller;

import static dev.berth.apiserver.api.MemoryApi.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.MemoryApi;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.apiserver.status.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllersTest {
    private static final LiveCatalog CATALOG = new LiveCatalog(Schemas.load());
    private static final String TEMPLATE =
            "template: {metadata: {labels: {app: a}}, spec: {nodeName: n-0, restartPolicy: Always, containers: [{name: c, image: i}]}}";
    private final MemoryApi api = new MemoryApi();
    private final SimulatedNodes nodes = new SimulatedNodes(api, InstantSource.system(), "v1.36.3");
    private final Controllers controllers = Controllers.start(api, CATALOG, InstantSource.system(), "");

    @BeforeEach
    void aNode() {
        nodes.add("n", 1, NodeShape.withGpus(8, "NVIDIA-H100", 81920));
    }

    @AfterEach
    void stop() {
        controllers.close();
        nodes.close();
        api.close();
    }

    private ObjectNode get(Resource resource, String name) {
        return api.get(resource, "team", name).orElseThrow();
    }

    private List<ObjectNode> pods() {
        return api.list(Resources.PODS, "team", Map.of()).stream()
                .filter(Pods::active)
                .toList();
    }

    /** As a user does it: on the newest version, again if a controller was faster. */
    private void change(Resource resource, String name, Consumer<ObjectNode> change) {
        eventually(() -> {
            ObjectNode object = get(resource, name);
            change.accept(object);
            try {
                api.update(resource, object);
                return true;
            } catch (ApiException conflict) {
                assertThat(conflict.code()).isEqualTo(409);
                return false;
            }
        });
    }

    private void awaitStatus(Resource resource, String name, String field, int value) {
        eventually(() -> api.get(resource, "team", name)
                .filter(object -> object.path("status").path(field).asInt() == value)
                .isPresent());
    }

    @Test
    void aReplicaSetHasAsManyPodsAsItAsksFor() {
        api.create(Resources.REPLICA_SETS, """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: r, namespace: team}
                spec: {replicas: 3, selector: {matchLabels: {app: a}}, %s}
                """.formatted(TEMPLATE));
        awaitStatus(Resources.REPLICA_SETS, "r", "availableReplicas", 3);
        assertThat(pods()).hasSize(3).allSatisfy(pod -> {
            JsonNode owner = Fields.controller(pod);
            assertThat(owner.path("kind").asText()).isEqualTo("ReplicaSet");
            assertThat(Fields.name(pod)).startsWith("r-");
        });

        change(Resources.REPLICA_SETS, "r", set -> ((ObjectNode) set.get("spec")).put("replicas", 1));
        awaitStatus(Resources.REPLICA_SETS, "r", "replicas", 1);
        eventually(() -> pods().size() == 1);
    }

    @Test
    void aPodGetsTheClaimsOfItsTemplatesAndIsToldTheirNames() {
        api.create(Resources.PODS, """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: team}
                spec:
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}, {name: own, resourceClaimName: mine}]
                  containers: [{name: c, image: i}]
                """);
        api.create(Resources.CLAIM_TEMPLATES, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one, namespace: team}
                spec:
                  metadata: {labels: {team: a}, annotations: {note: kept}}
                  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """);

        eventually(() -> get(Resources.PODS, "p")
                .path("status")
                .path("resourceClaimStatuses")
                .isArray());
        var statuses = get(Resources.PODS, "p").path("status").path("resourceClaimStatuses");
        assertThat(statuses).hasSize(1);
        assertThat(statuses.path(0).path("name").asText()).isEqualTo("gpu");
        var claim =
                get(Resources.CLAIMS, statuses.path(0).path("resourceClaimName").asText());
        assertThat(Fields.name(claim)).startsWith("p-gpu-");
        assertThat(Fields.controller(claim).path("uid").asText()).isEqualTo(Fields.uid(get(Resources.PODS, "p")));
        assertThat(Fields.label(claim, "team")).isEqualTo("a");
        assertThat(Fields.annotation(claim, "note")).isEqualTo("kept");
        assertThat(Fields.annotation(claim, "resource.kubernetes.io/pod-claim-name"))
                .isEqualTo("gpu");
        assertThat(claim.at("/spec/devices/requests/0/exactly/deviceClassName").asText())
                .isEqualTo("gpu");
        assertThat(api.list(Resources.CLAIMS, "team", Map.of())).hasSize(1);
    }

    @Test
    void aClaimLosesItsDevicesWithTheLastPodThatUsesIt() {
        for (var name : List.of("a", "b")) {
            api.create(Resources.PODS, """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s, namespace: team}
                    spec: {nodeName: n-0, containers: [{name: c, image: i}]}
                    """.formatted(name));
        }
        api.create(Resources.CLAIMS, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: shared, namespace: team, finalizers: [resource.kubernetes.io/delete-protection]}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                status:
                  allocation: {devices: {results: [{request: gpu, driver: d, pool: p, device: x}]}}
                  reservedFor:
                  - {resource: pods, name: a, uid: %s}
                  - {resource: pods, name: b, uid: %s}
                """.formatted(
                        Fields.uid(get(Resources.PODS, "a")), Fields.uid(get(Resources.PODS, "b"))));

        api.delete(
                Resources.PODS,
                "team",
                "a",
                Deletion.of(Fields.uid(get(Resources.PODS, "a"))).now());
        eventually(
                () -> get(Resources.CLAIMS, "shared").at("/status/reservedFor").size() == 1);
        assertThat(get(Resources.CLAIMS, "shared").at("/status").has("allocation"))
                .isTrue();

        api.delete(
                Resources.PODS,
                "team",
                "b",
                Deletion.of(Fields.uid(get(Resources.PODS, "b"))).now());
        eventually(() -> !get(Resources.CLAIMS, "shared").at("/metadata").has("finalizers"));
        assertThat(get(Resources.CLAIMS, "shared").at("/status").has("allocation"))
                .isFalse();
    }

    @Test
    void noPodIsCreatedTwice() {
        int before = api.creates;
        api.create(Resources.REPLICA_SETS, """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: r, namespace: team}
                spec: {replicas: 700, selector: {matchLabels: {app: a}}, %s}
                """.formatted(TEMPLATE));
        awaitStatus(Resources.REPLICA_SETS, "r", "availableReplicas", 700);
        assertThat(api.creates - before).isEqualTo(701);
    }

    @Test
    void aDeploymentRollsFromOneTemplateToTheNext() {
        api.create(Resources.DEPLOYMENTS, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: d, namespace: team, generation: 1}
                spec:
                  replicas: 4
                  progressDeadlineSeconds: 600
                  selector: {matchLabels: {app: a}}
                  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%%, maxUnavailable: 25%%}}
                  %s
                """.formatted(TEMPLATE));
        awaitStatus(Resources.DEPLOYMENTS, "d", "availableReplicas", 4);
        eventually(() -> Fields.annotation(get(Resources.DEPLOYMENTS, "d"), Deployments.REVISION)
                .equals("1"));
        String firstHash = Fields.label(pods().getFirst(), "pod-template-hash");
        assertThat(firstHash).isNotEmpty();

        change(
                Resources.DEPLOYMENTS,
                "d",
                deployment -> ((ObjectNode) deployment.at("/spec/template/spec/containers/0")).put("image", "j"));
        eventually(() -> {
            JsonNode deployment = get(Resources.DEPLOYMENTS, "d");
            return DeploymentStatus.complete(deployment, deployment.path("status"))
                    && pods().stream()
                            .noneMatch(pod ->
                                    Fields.label(pod, "pod-template-hash").equals(firstHash));
        });
        eventually(() -> Fields.annotation(get(Resources.DEPLOYMENTS, "d"), Deployments.REVISION)
                .equals("2"));
        assertThat(pods()).hasSize(4);
        JsonNode progressing = Fields.condition(get(Resources.DEPLOYMENTS, "d"), "Progressing");
        eventually(() -> Fields.condition(get(Resources.DEPLOYMENTS, "d"), "Progressing")
                .path("reason")
                .asText()
                .equals("NewReplicaSetAvailable"));
        assertThat(progressing.path("status").asText()).isEqualTo("True");
    }

    @Test
    void aStatefulSetHasNumberedPods() {
        api.create(Resources.STATEFUL_SETS, """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: s, namespace: team}
                spec: {replicas: 3, serviceName: s, selector: {matchLabels: {app: a}}, %s}
                """.formatted(TEMPLATE));
        awaitStatus(Resources.STATEFUL_SETS, "s", "availableReplicas", 3);
        ObjectNode second = get(Resources.PODS, "s-1");
        assertThat(Fields.label(second, "apps.kubernetes.io/pod-index")).isEqualTo("1");
        assertThat(second.at("/spec/hostname").asText()).isEqualTo("s-1");
        String revision = Fields.label(second, "controller-revision-hash");
        assertThat(get(Resources.STATEFUL_SETS, "s")
                        .at("/status/updateRevision")
                        .asText())
                .isEqualTo(revision);

        change(
                Resources.STATEFUL_SETS,
                "s",
                set -> ((ObjectNode) set.at("/spec/template/spec/containers/0")).put("image", "j"));
        eventually(() -> pods().size() == 3
                && pods().stream()
                        .noneMatch(pod ->
                                Fields.label(pod, "controller-revision-hash").equals(revision)));
        change(Resources.STATEFUL_SETS, "s", set -> ((ObjectNode) set.get("spec")).put("replicas", 1));
        eventually(() -> pods().size() == 1 && Fields.name(pods().getFirst()).equals("s-0"));
    }

    private void job(String more) {
        api.create(Resources.JOBS, """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j, namespace: team}
                spec:
                  parallelism: 2
                  selector: {matchLabels: {app: a}}
                  template:
                    metadata: {labels: {app: a}, annotations: {berth.dev/run-seconds: "0.01", FAIL: "true"}}
                    spec: {nodeName: n-0, restartPolicy: Never, containers: [{name: c, image: i}]}
                  %s
                """.formatted(more)
                .replace("FAIL", more.contains("backoffLimit") ? "berth.dev/fail" : "other"));
    }

    @Test
    void anIndexedJobCompletesEveryIndexOnce() {
        job("completions: 5\n  completionMode: Indexed");
        awaitStatus(Resources.JOBS, "j", "succeeded", 5);
        eventually(() -> Jobs.finished(get(Resources.JOBS, "j")));
        ObjectNode done = get(Resources.JOBS, "j");
        assertThat(done.at("/status/completedIndexes").asText()).isEqualTo("0-4");
        assertThat(Fields.condition(done, "SuccessCriteriaMet").path("reason").asText())
                .isEqualTo("CompletionsReached");
        List<ObjectNode> all = api.list(Resources.PODS, "team", Map.of());
        assertThat(all).hasSize(5);
        eventually(() -> api.list(Resources.PODS, "team", Map.of()).stream()
                .noneMatch(pod -> Fields.hasFinalizer(pod, Jobs.FINALIZER)));
        eventually(() ->
                get(Resources.JOBS, "j").at("/status/uncountedTerminatedPods").isEmpty());
    }

    @Test
    void aJobThatFailsTooOftenGivesUp() {
        job("completions: 1\n  backoffLimit: 1");
        eventually(() -> Fields.holds(get(Resources.JOBS, "j"), "Failed"));
        JsonNode failed = Fields.condition(get(Resources.JOBS, "j"), "Failed");
        assertThat(failed.path("reason").asText()).isEqualTo("BackoffLimitExceeded");
        assertThat(get(Resources.JOBS, "j").at("/status/failed").asInt()).isEqualTo(2);
    }

    @Test
    void aFinishedJobExpires() {
        job("completions: 1\n  ttlSecondsAfterFinished: 0");
        eventually(() -> api.get(Resources.JOBS, "team", "j").isEmpty());
        eventually(() -> api.list(Resources.PODS, "team", Map.of()).isEmpty());
    }

    @Test
    void whatADeletedOwnerLeavesIsCollected() {
        ownerWithPod();
        api.delete(Resources.REPLICA_SETS, "team", "r", Deletion.PLAIN);
        eventually(() -> api.list(Resources.PODS, "team", Map.of()).isEmpty());
    }

    @Test
    void anOrphanedPodStays() {
        ownerWithPod();
        api.delete(Resources.REPLICA_SETS, "team", "r", Deletion.PLAIN.propagating("Orphan"));
        eventually(() -> api.get(Resources.REPLICA_SETS, "team", "r").isEmpty());
        assertThat(pods())
                .singleElement()
                .satisfies(pod -> assertThat(pod.at("/metadata/ownerReferences").isMissingNode())
                        .isTrue());
    }

    @Test
    void anOwnerDeletedInTheForegroundGoesLast() {
        ownerWithPod();
        api.delete(Resources.REPLICA_SETS, "team", "r", Deletion.PLAIN.propagating("Foreground"));
        eventually(() -> api.get(Resources.REPLICA_SETS, "team", "r").isEmpty());
        assertThat(api.list(Resources.PODS, "team", Map.of())).isEmpty();
    }

    private void ownerWithPod() {
        api.create(Resources.REPLICA_SETS, """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: r, namespace: team}
                spec: {replicas: 1, selector: {matchLabels: {app: a}}, %s}
                """.formatted(TEMPLATE));
        awaitStatus(Resources.REPLICA_SETS, "r", "availableReplicas", 1);
    }

    @Test
    void aNamespaceHasItsDefaultsAndIsEmptiedWhenItGoes() {
        api.create(Resources.NAMESPACES, "{metadata: {name: team}, spec: {finalizers: [kubernetes]}}");
        eventually(() -> api.get(Resources.SERVICE_ACCOUNTS, "team", "default").isPresent()
                && api.get(Resources.CONFIG_MAPS, "team", "kube-root-ca.crt").isPresent());
        ownerWithPod();
        api.delete(Resources.NAMESPACES, "", "team", Deletion.PLAIN);
        eventually(() -> api.get(Resources.NAMESPACES, "", "team").isEmpty());
        assertThat(api.list(Resources.PODS, "team", Map.of())).isEmpty();
        assertThat(api.list(Resources.SERVICE_ACCOUNTS, "team", Map.of())).isEmpty();
    }

    @Test
    void aReadyNodeLosesItsTaintAndASickOneGetsItBack() {
        api.create(Resources.NODES, """
                metadata: {name: m}
                spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}, {key: mine, effect: NoSchedule}]}
                status: {conditions: [{type: Ready, status: 'True'}]}
                """);
        eventually(() -> taints("m").equals(List.of("mine")));
        ObjectNode node = api.get(Resources.NODES, "", "m").orElseThrow();
        ((ObjectNode) node.at("/status/conditions/0")).put("status", "False");
        api.updateStatus(Resources.NODES, node);
        eventually(() -> taints("m").equals(List.of("mine", "node.kubernetes.io/not-ready")));
    }

    private List<String> taints(String node) {
        return api.get(Resources.NODES, "", node)
                .orElseThrow()
                .at("/spec/taints")
                .findValuesAsText("key");
    }

    @Test
    void thePodsOfANodeThatIsGoneAreRemoved() {
        api.create(Resources.PODS, "{metadata: {name: p, namespace: team}, spec: {nodeName: elsewhere}}");
        eventually(() -> api.get(Resources.PODS, "team", "p").isEmpty());
    }
}
