package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.JOBS;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.REPLICA_SETS;
import static dev.berth.e2e.conformance.Paths.SECRETS;
import static dev.berth.e2e.conformance.Paths.STATEFUL_SETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;

/** Workloads become pods: by kube-controller-manager beside the real server, by the embedded one's own controllers. */
@OnBothServers(controllers = true)
class WorkloadIT {
    private static final String TEMPLATE = """
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}, annotations: {note: kept}}
                spec: {containers: [{name: c, image: "example.org/i:1"}]}
            """;

    /** Waits for so many pods that are not on their way out. */
    private static void awaitPods(Dialogue server, int count) {
        server.await(PODS, list -> alive(list) == count && list.path("items").size() == count);
    }

    private static long alive(JsonNode list) {
        return list.path("items")
                .valueStream()
                .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
                .count();
    }

    /** What a workload gives its pods, without what every pod has anyway. */
    private static void notePods(Dialogue server) {
        var pods = server.quietly("GET", PODS, "").body().path("items");
        var shown = JsonNodeFactory.instance.arrayNode();
        for (var pod : pods) {
            var metadata = (ObjectNode) pod.path("metadata").deepCopy();
            metadata.remove(List.of("managedFields", "resourceVersion", "creationTimestamp", "uid", "generation"));
            var view = metadata.objectNode();
            view.set("metadata", metadata);
            view.set("hostname", pod.at("/spec/hostname"));
            view.set("subdomain", pod.at("/spec/subdomain"));
            view.set("env", pod.at("/spec/containers/0/env"));
            shown.add(view);
        }
        server.note("pods", shown);
    }

    @Story
    void aReplicaSetMakesItsPods(Dialogue server) {
        server.quietly("POST", REPLICA_SETS, TEMPLATE);
        awaitPods(server, 2);
        notePods(server);
        server.await(REPLICA_SETS + "/web", set -> set.at("/status/replicas").asInt() == 2);
        server.note(
                "status",
                server.quietly("GET", REPLICA_SETS + "/web", "").body().at("/status"));
    }

    @Story
    void aReplicaSetReplacesAPod(Dialogue server) {
        server.quietly("POST", REPLICA_SETS, TEMPLATE);
        awaitPods(server, 2);
        var first = server.quietly("GET", PODS, "").at("/items/0/metadata/name");
        server.quietly("DELETE", PODS + "/" + first + "?gracePeriodSeconds=0", "");
        server.await(
                PODS,
                list -> list.path("items").size() == 2
                        && list.path("items")
                                .valueStream()
                                .noneMatch(
                                        pod -> pod.at("/metadata/name").asText().equals(first)));
        notePods(server);
    }

    @Story
    void aReplicaSetIsScaledDown(Dialogue server) {
        server.quietly("POST", REPLICA_SETS, TEMPLATE);
        awaitPods(server, 2);
        server.await(REPLICA_SETS + "/web", set -> set.at("/status/replicas").asInt() == 2);
        server.mergePatch(REPLICA_SETS + "/web/scale", "{spec: {replicas: 0}}");
        awaitPods(server, 0);
    }

    @Story
    void aReplicaSetAdoptsAPodThatFits(Dialogue server) {
        server.quietly(
                "POST",
                PODS,
                "{metadata: {name: orphan, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}");
        server.quietly("POST", REPLICA_SETS, TEMPLATE);
        awaitPods(server, 2);
        server.await(
                PODS + "/orphan",
                pod -> pod.at("/metadata/ownerReferences/0/kind").asText().equals("ReplicaSet"));
        notePods(server);
    }

    @Story
    void aPodGetsTheClaimsOfItsTemplates(Dialogue server) {
        server.quietly("POST", "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates", """
                metadata: {name: one}
                spec:
                  metadata: {labels: {team: a}, annotations: {note: kept}}
                  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """);
        server.quietly("POST", PODS, """
                metadata: {name: p}
                spec:
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
                  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
                """);
        server.await(
                PODS + "/p",
                pod -> !pod.at("/status/resourceClaimStatuses/0/resourceClaimName")
                        .asText()
                        .isEmpty());
        var claims = server.quietly("GET", "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims", "")
                .body()
                .path("items");
        server.note("claims", claims.size());
        server.note("spec", claims.at("/0/spec"));
        server.note("labels", claims.at("/0/metadata/labels"));
        server.note("annotations", claims.at("/0/metadata/annotations"));
        server.note("generateName", claims.at("/0/metadata/generateName"));
        server.note("owner", claims.at("/0/metadata/ownerReferences"));
        server.quietly("DELETE", PODS + "/p?gracePeriodSeconds=0", "");
        server.await(
                "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims",
                list -> list.path("items").isEmpty());
    }

    @Story
    void aDeploymentMakesAReplicaSet(Dialogue server) {
        server.quietly("POST", DEPLOYMENTS, TEMPLATE);
        awaitPods(server, 2);
        notePods(server);
        server.await(
                DEPLOYMENTS + "/web", web -> web.at("/status/updatedReplicas").asInt() == 2);
        var sets = server.quietly("GET", REPLICA_SETS, "").body().path("items");
        server.note("replica sets", sets.size());
        server.note("owner", sets.at("/0/metadata/ownerReferences"));
        server.note("selector", sets.at("/0/spec/selector"));
        server.note("annotations", sets.at("/0/metadata/annotations"));
    }

    @Story
    void aDeploymentRollsToANewReplicaSet(Dialogue server) {
        server.quietly("POST", DEPLOYMENTS, TEMPLATE.replace("replicas: 2", "replicas: 1"));
        awaitPods(server, 1);
        var next = server.quietly("GET", DEPLOYMENTS + "/web", "").edited(body -> {
            body.withObject("/metadata").remove("resourceVersion");
            body.withObject("/spec").putObject("strategy").put("type", "Recreate");
            body.withObject("/spec/template/spec/containers/0").put("image", "example.org/i:2");
        });
        server.quietly("PUT", DEPLOYMENTS + "/web", next);
        server.await(
                PODS,
                list -> list.path("items").size() == 1
                        && list.at("/items/0/spec/containers/0/image").asText().endsWith(":2"));
        server.await(REPLICA_SETS, list -> list.path("items").size() == 2);
        server.note(
                "replica sets",
                server.quietly("GET", REPLICA_SETS, "").body().path("items").size());
        server.await(
                DEPLOYMENTS + "/web",
                web -> web.at("/metadata/annotations")
                        .path("deployment.kubernetes.io/revision")
                        .asText()
                        .equals("2"));
    }

    @Story
    void aStatefulSetNumbersItsPods(Dialogue server) {
        server.quietly(
                "POST",
                STATEFUL_SETS,
                TEMPLATE.replace("replicas: 2", "replicas: 2\n  serviceName: web\n  podManagementPolicy: Parallel"));
        awaitPods(server, 2);
        notePods(server);
    }

    @Story
    void aStatefulSetWaitsForEachPod(Dialogue server) {
        server.quietly("POST", STATEFUL_SETS, TEMPLATE);
        awaitPods(server, 1);
        server.note("first", server.quietly("GET", PODS, "").at("/items/0/metadata/name"));
        server.quietly(
                server.request("PATCH", PODS + "/web-0/status")
                        .type("application/merge-patch+json")
                        .body(
                                "{\"status\": {\"phase\": \"Running\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}}"));
        awaitPods(server, 2);
        notePods(server);
    }

    @Story
    void aJobMakesItsPods(Dialogue server) {
        server.quietly(
                "POST",
                JOBS,
                "{metadata: {name: j}, spec: {parallelism: 2, completions: 2, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
        awaitPods(server, 2);
        notePods(server);
    }

    @Story
    void anIndexedJobNumbersItsPods(Dialogue server) {
        server.quietly(
                "POST",
                JOBS,
                "{metadata: {name: j}, spec: {parallelism: 2, completions: 2, completionMode: Indexed, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
        awaitPods(server, 2);
        notePods(server);
    }

    @Story
    void aJobIsCompleteWhenItsPodsSucceeded(Dialogue server) {
        server.quietly(
                "POST",
                JOBS,
                "{metadata: {name: j}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
        awaitPods(server, 1);
        var pod = server.quietly("GET", PODS, "").at("/items/0/metadata/name");
        server.quietly(server.request("PATCH", PODS + "/" + pod + "/status")
                .type("application/merge-patch+json")
                .body("{\"status\": {\"phase\": \"Succeeded\"}}"));
        server.await(
                JOBS + "/j",
                job -> job.at("/status/succeeded").asInt() == 1
                        && job.at("/status/conditions")
                                .valueStream()
                                .anyMatch(condition ->
                                        condition.path("type").asText().equals("Complete")));
        var status = (ObjectNode) server.quietly("GET", JOBS + "/j", "").body().path("status");
        server.note("succeeded", status.path("succeeded"));
        server.note("active", status.has("active"));
        server.note("has a completion time", status.has("completionTime"));
    }

    @Story
    void ownedObjectsGoWithTheirOwner(Dialogue server) {
        var owner = server.quietly("POST", SECRETS, "{metadata: {name: owner}}");
        server.quietly(
                "POST",
                SECRETS,
                "{metadata: {name: owned, ownerReferences: [{apiVersion: v1, kind: Secret, name: owner, uid: %s}]}}"
                        .formatted(owner.uid()));
        server.delete(SECRETS + "/owner");
        server.await(SECRETS, list -> list.path("items").isEmpty());
    }

    @Story
    void orphansStay(Dialogue server) {
        var owner = server.quietly("POST", SECRETS, "{metadata: {name: owner}}");
        server.quietly(
                "POST",
                SECRETS,
                "{metadata: {name: owned, ownerReferences: [{apiVersion: v1, kind: Secret, name: owner, uid: %s}]}}"
                        .formatted(owner.uid()));
        server.quietly("DELETE", SECRETS + "/owner", "{propagationPolicy: Orphan}");
        server.await(
                SECRETS,
                list -> list.path("items").size() == 1
                        && !list.at("/items/0/metadata").has("ownerReferences"));
        server.note("left", server.quietly("GET", SECRETS, "").at("/items/0/metadata/name"));
    }

    @Story
    void aForegroundDeletionTakesTheOwnedFirst(Dialogue server) {
        var owner = server.quietly("POST", SECRETS, "{metadata: {name: owner}}");
        server.quietly(
                "POST",
                SECRETS,
                "{metadata: {name: owned, finalizers: [example.org/hold], ownerReferences: [{apiVersion: v1, kind: Secret, name: owner, uid: %s, blockOwnerDeletion: true}]}}"
                        .formatted(owner.uid()));
        server.quietly("DELETE", SECRETS + "/owner", "{propagationPolicy: Foreground}");
        server.await(SECRETS + "/owned", owned -> owned.path("metadata").has("deletionTimestamp"));
        server.note("owner waits", server.quietly("GET", SECRETS + "/owner", "").code());
        server.quietly(server.request("PATCH", SECRETS + "/owned")
                .type("application/merge-patch+json")
                .body("{\"metadata\": {\"finalizers\": null}}"));
        server.await(SECRETS, list -> list.path("items").isEmpty());
    }

    @Story
    void whatNamesAnOwnerThatIsNotThereIsCollected(Dialogue server) {
        server.quietly(
                "POST",
                SECRETS,
                "{metadata: {name: owned, ownerReferences: [{apiVersion: v1, kind: Secret, name: ghost, uid: 11111111-2222-3333-4444-555555555555}]}}");
        server.await(SECRETS, list -> list.path("items").isEmpty());
    }

    @Story
    void aDeploymentTakesItsPodsAlong(Dialogue server) {
        server.quietly("POST", DEPLOYMENTS, TEMPLATE);
        awaitPods(server, 2);
        server.quietly("DELETE", DEPLOYMENTS + "/web", "{propagationPolicy: Background}");
        awaitPods(server, 0);
        server.await(REPLICA_SETS, list -> list.path("items").isEmpty());
    }

    @Story
    void aDeletedNamespaceIsEmptied(Dialogue server) {
        server.quietly("POST", NAMESPACES, "{metadata: {name: to-be-emptied}}");
        server.quietly("POST", "/api/v1/namespaces/to-be-emptied/configmaps", "{metadata: {name: a}}");
        server.delete(NAMESPACES + "/to-be-emptied");
        server.await(NAMESPACES + "/to-be-emptied", gone -> gone.path("code").asInt() == 404);
        server.get("/api/v1/namespaces/to-be-emptied/configmaps");
    }
}
