package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.LEASES;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Objects that are wrong, and what is said about them. */
@OnBothServers
class ValidationIT {
    private static void pod(Dialogue server, String spec) {
        server.post(PODS, "{metadata: {name: p}, spec: " + spec + "}");
    }

    @Story
    void namesHaveRules(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: Upper}}");
        server.post(CONFIG_MAPS, "{metadata: {name: under_score}}");
        server.post(CONFIG_MAPS, "{metadata: {name: %s}}".formatted("x".repeat(254)));
        server.post(CONFIG_MAPS, "{metadata: {name: a/b}}");
        server.post(CONFIG_MAPS, "{metadata: {name: ..}}");
        server.post(NAMESPACES, "{metadata: {name: with.dot}}");
    }

    @Story
    void labelsHaveRules(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {\"a b\": c}}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {a: \"b c\"}}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {a: \"%s\"}}}".formatted("x".repeat(64)));
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {\"UPPER.example/x\": y}}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a, annotations: {\"a b\": c}}}");
    }

    @Story
    void finalizersHaveRules(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [plain]}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [\"a b/c\"]}}");
    }

    @Story
    void ownersHaveRules(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, ownerReferences: [{}]}}");
        server.post(CONFIG_MAPS, """
                metadata:
                  name: a
                  ownerReferences:
                  - {apiVersion: v1, kind: Pod, name: p, uid: u1, controller: true}
                  - {apiVersion: v1, kind: Pod, name: q, uid: u2, controller: true}
                """);
    }

    @Story
    void keysOfAConfigMapHaveRules(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {\"a b\": c}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}, binaryData: {k: dg==}}");
    }

    @Story
    void aPodNeedsAContainer(Dialogue server) {
        pod(server, "{}");
        pod(server, "{containers: []}");
        pod(server, "{containers: [{}]}");
        server.post(PODS, "{metadata: {name: p}}");
    }

    @Story
    void containersHaveNames(Dialogue server) {
        pod(server, "{containers: [{name: c, image: i}, {name: c, image: i}]}");
        pod(server, "{containers: [{name: Upper, image: i}]}");
        pod(server, "{containers: [{name: c, image: i}], initContainers: [{name: c, image: i}]}");
        pod(server, "{containers: [{name: c, image: \" i\"}]}");
    }

    @Story
    void enumsAreClosed(Dialogue server) {
        pod(server, "{restartPolicy: Sometimes, dnsPolicy: Guess, containers: [{name: c, image: i}]}");
        pod(server, "{containers: [{name: c, image: i, imagePullPolicy: Maybe, terminationMessagePolicy: Loud}]}");
        pod(server, "{containers: [{name: c, image: i, ports: [{containerPort: 80, protocol: FTP}]}]}");
    }

    @Story
    void portsHaveRanges(Dialogue server) {
        pod(server, "{containers: [{name: c, image: i, ports: [{containerPort: 0}]}]}");
        pod(server, "{containers: [{name: c, image: i, ports: [{containerPort: 70000, hostPort: -1}]}]}");
        pod(
                server,
                "{containers: [{name: c, image: i, ports: [{name: p, containerPort: 1}, {name: p, containerPort: 2}]}]}");
    }

    @Story
    void resourcesHaveRules(Dialogue server) {
        pod(server, "{containers: [{name: c, image: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}");
        pod(server, "{containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 1}}}]}");
        pod(server, "{containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 500m}}}]}");
        pod(
                server,
                "{containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}}}]}");
        pod(server, "{containers: [{name: c, image: i, resources: {limits: {memory: -1}}}]}");
        pod(server, "{containers: [{name: c, image: i, resources: {limits: {warp: 1}}}]}");
    }

    @Story
    void volumesAreNamedAndMounted(Dialogue server) {
        pod(server, "{volumes: [{name: v}, {name: v}], containers: [{name: c, image: i}]}");
        pod(server, "{containers: [{name: c, image: i, volumeMounts: [{name: none, mountPath: /x}]}]}");
        pod(
                server,
                "{volumes: [{name: v, emptyDir: {}}], containers: [{name: c, image: i, volumeMounts: [{name: v}]}]}");
    }

    @Story
    void environmentHasRules(Dialogue server) {
        pod(server, "{containers: [{name: c, image: i, env: [{name: \"\", value: x}]}]}");
        pod(server, "{containers: [{name: c, image: i, env: [{name: \"A=B\", value: x}]}]}");
        pod(
                server,
                "{containers: [{name: c, image: i, env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}");
    }

    @Story
    void tolerationsHaveRules(Dialogue server) {
        pod(server, "{tolerations: [{operator: Equal, value: x}], containers: [{name: c, image: i}]}");
        pod(server, "{tolerations: [{key: k, operator: Exists, value: x}], containers: [{name: c, image: i}]}");
        pod(server, "{tolerations: [{key: k, operator: Near, effect: Push}], containers: [{name: c, image: i}]}");
    }

    @Story
    void affinityHasRules(Dialogue server) {
        pod(server, """
                {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]},
                  preferredDuringSchedulingIgnoredDuringExecution: [{weight: 200, preference: {}}]},
                  podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}}]}},
                  containers: [{name: c, image: i}]}
                """);
    }

    @Story
    void aNodeHasRules(Dialogue server) {
        server.post(NODES, "{metadata: {name: Not_A_Node}}");
        server.post(NODES, "{metadata: {name: n}, spec: {taints: [{key: \"a b\", effect: Push}]}}");
    }

    @Story
    void aLeaseHasRules(Dialogue server) {
        server.post(LEASES, "{metadata: {name: l}, spec: {leaseDurationSeconds: 0, leaseTransitions: -1}}");
        server.post(LEASES, "{metadata: {name: l}, spec: {holderIdentity: \"\"}}");
    }
}
