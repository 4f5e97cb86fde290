package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.PRIORITY_CLASSES;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** What is special about pods and nodes: defaults, priority, binding, eviction, status. */
@OnBothServers
class PodIT {
    @Story
    void everyPartOfAPodHasItsDefaults(Dialogue server) {
        server.post(PODS, """
                apiVersion: v1
                kind: Pod
                metadata: {name: rich}
                spec:
                  serviceAccountName: robot
                  volumes:
                  - {name: empty, emptyDir: {}}
                  - {name: map, configMap: {name: m}}
                  - {name: secret, secret: {secretName: s}}
                  - {name: host, hostPath: {path: /tmp}}
                  - {name: down, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}
                  - {name: proj, projected: {sources: [{serviceAccountToken: {path: token}}]}}
                  initContainers: [{name: first, image: "example.org/init"}]
                  containers:
                  - name: main
                    image: example.org/app:latest
                    ports: [{containerPort: 80}]
                    env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
                    resources: {limits: {cpu: "1", memory: 64Mi, nvidia.com/gpu: 2}}
                    livenessProbe: {httpGet: {port: 80}}
                    readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 3}
                    startupProbe: {exec: {command: ["true"]}}
                    lifecycle: {preStop: {httpGet: {port: 80, path: /stop}}}
                  - name: tagged
                    image: example.org/app:1.2@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                    resources: {requests: {cpu: 100m}}
                """);
    }

    @Story
    void thePriorityComesFromItsClass(Dialogue server) {
        server.cleanUp(PRIORITY_CLASSES + "/the-priority-comes");
        server.post(PRIORITY_CLASSES, "{metadata: {name: the-priority-comes}, value: 1000}");
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {priorityClassName: the-priority-comes, containers: [{name: c, image: i}]}}");
    }

    @Story
    void theClassMaySayThatNobodyIsPreempted(Dialogue server) {
        server.cleanUp(PRIORITY_CLASSES + "/gentle");
        server.post(PRIORITY_CLASSES, "{metadata: {name: gentle}, value: 7, preemptionPolicy: Never}");
        server.post(
                PODS, "{metadata: {name: a}, spec: {priorityClassName: gentle, containers: [{name: c, image: i}]}}");
    }

    @Story
    void aPriorityClassMustExist(Dialogue server) {
        server.post(
                PODS, "{metadata: {name: a}, spec: {priorityClassName: nobility, containers: [{name: c, image: i}]}}");
    }

    @Story
    void aPriorityMayNotBeSetByHand(Dialogue server) {
        server.post(PODS, "{metadata: {name: a}, spec: {priority: 99, containers: [{name: c, image: i}]}}");
    }

    @Story
    void theClassesOfTheSystemAreThere(Dialogue server) {
        server.leaveOut("/metadata/managedFields", "they name who made the classes");
        server.get(PRIORITY_CLASSES + "/system-node-critical");
        server.get(PRIORITY_CLASSES + "/system-cluster-critical");
    }

    @Story
    void aPriorityClassStaysAsItIs(Dialogue server) {
        server.cleanUp(PRIORITY_CLASSES + "/fixed");
        var made = server.post(PRIORITY_CLASSES, "{metadata: {name: fixed}, value: 5, description: five}");
        server.put(PRIORITY_CLASSES + "/fixed", made.edited(body -> body.put("value", 6)));
        server.post(PRIORITY_CLASSES, "{metadata: {name: too-high}, value: 2000000000}");
        server.post(PRIORITY_CLASSES, "{metadata: {name: system-mine}, value: 5}");
    }

    @Story
    void tolerationsForNodesThatGoAwayAreAdded(Dialogue server) {
        server.post(PODS, """
                metadata: {name: a}
                spec:
                  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}]
                  containers: [{name: c, image: i}]
                """);
    }

    @Story
    void aPodIsBoundToANode(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(
                PODS + "/small/binding",
                "{apiVersion: v1, kind: Binding, metadata: {name: small, annotations: {why: because}}, target: {kind: Node, name: n1}}");
        server.get(PODS + "/small");
    }

    @Story
    void aPodIsBoundOnce(Dialogue server) {
        server.post(PODS, SMALL_POD);
        var binding = "{apiVersion: v1, kind: Binding, metadata: {name: small}, target: {kind: Node, name: %s}}";
        server.post(PODS + "/small/binding", binding.formatted("n1"));
        server.post(PODS + "/small/binding", binding.formatted("n2"));
    }

    @Story
    void aBindingByTheOldRoadWorks(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(
                "/api/v1/namespaces/{ns}/bindings",
                "{apiVersion: v1, kind: Binding, metadata: {name: small}, target: {kind: Node, name: n1}}");
    }

    @Story
    void aBindingNeedsANodeAndAPod(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(PODS + "/small/binding", "{metadata: {name: small}, target: {kind: Node}}");
        server.post(PODS + "/small/binding", "{metadata: {name: small}, target: {kind: House, name: h}}");
        server.post(PODS + "/nobody/binding", "{metadata: {name: nobody}, target: {kind: Node, name: n1}}");
    }

    @Story
    void aPodOfAnotherUidIsNotBound(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(
                PODS + "/small/binding",
                "{metadata: {name: small, uid: 11111111-2222-3333-4444-555555555555}, target: {kind: Node, name: n1}}");
    }

    @Story
    void aGatedPodIsNotBound(Dialogue server) {
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {schedulingGates: [{name: example.org/wait}], containers: [{name: c, image: i}]}}");
        server.post(PODS + "/a/binding", "{metadata: {name: a}, target: {kind: Node, name: n1}}");
        server.jsonPatch(PODS + "/a", "[{op: remove, path: /spec/schedulingGates/0}]");
        server.post(PODS + "/a/binding", "{metadata: {name: a}, target: {kind: Node, name: n1}}");
    }

    @Story
    void aPodIsEvicted(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(PODS + "/small/eviction", "{apiVersion: policy/v1, kind: Eviction, metadata: {name: small}}");
        server.get(PODS + "/small");
        server.post(PODS + "/small/eviction", "{apiVersion: policy/v1, kind: Eviction, metadata: {name: small}}");
    }

    @Story
    void aBoundPodIsEvictedWithGrace(Dialogue server) {
        server.post(PODS, "{metadata: {name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        server.post(
                PODS + "/a/eviction",
                "{apiVersion: policy/v1, kind: Eviction, metadata: {name: a}, deleteOptions: {gracePeriodSeconds: 9}}");
        server.get(PODS + "/a");
    }

    @Story
    void theStatusIsWrittenOnItsOwn(Dialogue server) {
        var pod = server.post(PODS, SMALL_POD);
        server.put(PODS + "/small/status", pod.edited(body -> {
            body.withObject("/status").put("phase", "Running");
            body.withObject("/spec").put("restartPolicy", "Never");
            body.withObject("/metadata/labels").put("from", "status");
        }));
        server.get(PODS + "/small/status");
        server.mergePatch(PODS + "/small", "{status: {phase: Failed}}");
    }

    @Story
    void conditionsAreMergedByTheirType(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.strategicPatch(
                PODS + "/small/status",
                "{status: {conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, message: full}]}}");
        server.strategicPatch(PODS + "/small/status", "{status: {conditions: [{type: Ready, status: \"True\"}]}}");
    }

    @Story
    void theNominatedNodeIsWrittenToTheStatus(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.strategicPatch(PODS + "/small/status", "{status: {nominatedNodeName: n7}}");
    }

    @Story
    void aNewNodeIsNotReady(Dialogue server) {
        server.cleanUp(NODES + "/fresh-node");
        server.post(NODES, """
                apiVersion: v1
                kind: Node
                metadata: {name: fresh-node, labels: {zone: a}}
                status:
                  capacity: {cpu: "4", memory: 8Gi, nvidia.com/gpu: "8"}
                  allocatable: {cpu: "4", memory: 8Gi, nvidia.com/gpu: "8"}
                """);
        server.mergePatch(NODES + "/fresh-node", "{spec: {taints: null, unschedulable: true}}");
        server.strategicPatch(
                NODES + "/fresh-node/status",
                "{status: {conditions: [{type: Ready, status: \"True\", reason: KubeletReady}], allocatable: {nvidia.com/gpu: \"7\"}}}");
    }

    @Story
    void requestsFollowLimits(Dialogue server) {
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {containers: [{name: c, image: i, resources: {limits: {cpu: 1500m, memory: 1.5Gi, example.org/thing: 3}}}]}}");
    }

    @Story
    void quantitiesAreWrittenTheCanonicalWay(Dialogue server) {
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 0.5, memory: \"1000000000\", ephemeral-storage: 2048Mi}, limits: {cpu: \"2000m\", memory: 1e9}}}]}}");
    }
}
