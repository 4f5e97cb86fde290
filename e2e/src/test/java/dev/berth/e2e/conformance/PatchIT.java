package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SERVICES;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** JSON patches, merge patches and strategic merge patches. */
@OnBothServers
class PatchIT {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - {name: c, image: "i:1", env: [{name: A, value: "1"}], ports: [{containerPort: 80}]}
                  - {name: d, image: "j:1"}
            """;

    @Story
    void aJsonPatchAddsReplacesAndRemoves(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}, data: {k: v, l: w}}");
        server.jsonPatch(CONFIG_MAPS + "/a", """
                - {op: test, path: /data/k, value: v}
                - {op: replace, path: /data/k, value: changed}
                - {op: add, path: /data/n, value: new}
                - {op: remove, path: /data/l}
                - {op: copy, from: /data/k, path: /data/copy}
                - {op: move, from: /metadata/labels/x, path: /metadata/labels/z}
                """);
    }

    @Story
    void aJsonPatchEscapesSlashes(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, annotations: {example.org/a~b: x}}}");
        server.jsonPatch(
                CONFIG_MAPS + "/a", "[{op: replace, path: /metadata/annotations/example.org~1a~0b, value: changed}]");
    }

    @Story
    void aJsonPatchWhoseTestFailsChangesNothing(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.jsonPatch(CONFIG_MAPS + "/a", "[{op: test, path: /data/k, value: other}]");
        server.jsonPatch(CONFIG_MAPS + "/a", "[{op: remove, path: /data/nothing}]");
        server.jsonPatch(CONFIG_MAPS + "/a", "[{op: replace, path: /nothing/there, value: 1}]");
        server.jsonPatch(CONFIG_MAPS + "/a", "[{op: fly, path: /data/k}]");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aJsonPatchAppendsToAList(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.jsonPatch(
                PODS + "/small",
                "[{op: add, path: /spec/tolerations/-, value: {key: extra, operator: Exists, effect: NoSchedule}}]");
    }

    @Story
    void aMergePatchSetsAndRemoves(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}, data: {k: v, l: w}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {labels: {x: null, z: new}}, data: {k: changed, l: null}}");
    }

    @Story
    void aMergePatchReplacesLists(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.mergePatch(DEPLOYMENTS + "/web", "{spec: {template: {spec: {containers: [{name: only, image: k}]}}}}");
    }

    @Story
    void aPatchThatChangesNothingKeepsTheVersion(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {k: v}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{}");
    }

    @Story
    void aPatchUnderAnOldVersionConflicts(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {k: w}}");
        server.mergePatch(
                CONFIG_MAPS + "/a",
                "{metadata: {resourceVersion: \"%s\"}, data: {k: x}}".formatted(made.resourceVersion()));
    }

    @Story
    void aPatchOfWhatIsNotThereIsNotFound(Dialogue server) {
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {k: v}}");
        server.jsonPatch(CONFIG_MAPS + "/a", "[]");
    }

    @Story
    void aPatchMayNotRename(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {name: b}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {namespace: elsewhere}}");
    }

    @Story
    void aPatchMayNotChangeTheKind(Dialogue server) {
        server.leaveOut("/message", "it quotes the whole object, in the order of Go's fields");
        server.leaveOut("/details/causes/*/message", "it quotes the whole object, in the order of Go's fields");
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{kind: Secret}");
        server.mergePatch(CONFIG_MAPS + "/a", "{apiVersion: v2}");
    }

    @Story
    void aStrategicPatchMergesListsByTheirKey(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.strategicPatch(DEPLOYMENTS + "/web", """
                spec:
                  template:
                    spec:
                      containers:
                      - {name: c, image: "i:2", env: [{name: B, value: "2"}]}
                      - {name: e, image: "new:1"}
                """);
    }

    @Story
    void aStrategicPatchDeletesFromAList(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.strategicPatch(
                DEPLOYMENTS + "/web", "{spec: {template: {spec: {containers: [{name: d, $patch: delete}]}}}}");
    }

    @Story
    void aStrategicPatchReplacesAListOnRequest(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.strategicPatch(
                DEPLOYMENTS + "/web",
                "{spec: {template: {spec: {containers: [{$patch: replace}, {name: only, image: k}]}}}}");
    }

    @Story
    void aStrategicPatchOrdersAList(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.strategicPatch(DEPLOYMENTS + "/web", """
                spec:
                  template:
                    spec:
                      $setElementOrder/containers: [{name: d}, {name: c}]
                      containers: [{name: d, image: "j:2"}]
                """);
    }

    @Story
    void aStrategicPatchRetainsKeys(Dialogue server) {
        server.post(DEPLOYMENTS, DEPLOYMENT);
        server.strategicPatch(DEPLOYMENTS + "/web", "{spec: {strategy: {$retainKeys: [type], type: Recreate}}}");
    }

    @Story
    void aStrategicPatchMergesListsOfPlainValues(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.org/one]}}");
        server.strategicPatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: [example.org/two]}}");
        server.strategicPatch(
                CONFIG_MAPS + "/a", "{metadata: {$deleteFromPrimitiveList/finalizers: [example.org/one]}}");
        server.strategicPatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: null}}");
    }

    @Story
    void aStrategicPatchMergesPortsOfAService(Dialogue server) {
        server.post(
                SERVICES,
                "{metadata: {name: s}, spec: {selector: {app: x}, ports: [{name: a, port: 80}, {name: b, port: 81}]}}");
        server.strategicPatch(SERVICES + "/s", "{spec: {ports: [{port: 81, targetPort: 8081}]}}");
    }

    @Story
    void aPatchWithBadJsonIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.send(server.request("PATCH", CONFIG_MAPS + "/a")
                .type("application/merge-patch+json")
                .body("{\"data\": "));
        server.send(server.request("PATCH", CONFIG_MAPS + "/a")
                .type("application/json-patch+json")
                .body("{\"op\": \"add\"}"));
        server.send(server.request("PATCH", CONFIG_MAPS + "/a")
                .type("application/strategic-merge-patch+json")
                .body("[]"));
    }

    @Story
    void aPatchOfAnUnknownTypeIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.send(server.request("PATCH", CONFIG_MAPS + "/a")
                .type("application/json")
                .body("{}"));
        server.send(
                server.request("PATCH", CONFIG_MAPS + "/a").type("text/plain").body("{}"));
    }

    @Story
    void aPatchThatMakesAnObjectInvalidIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.leaveOut("/details/causes", "the real server looks several times and names the error each time");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {labels: {\"not a label\": x}}}");
        server.leaveOut("/message", "it quotes the whole object, in the order of Go's fields");
        server.mergePatch(CONFIG_MAPS + "/a", "{data: 5}");
    }
}
