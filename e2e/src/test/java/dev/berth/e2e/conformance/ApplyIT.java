package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.PODS;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Server-side apply. */
@OnBothServers
class ApplyIT {
    private static final String MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {%s}}";

    @Story
    void applyCreatesWhatIsNotThere(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
    }

    @Story
    void applyingAgainChangesNothing(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
    }

    @Story
    void whatAManagerNoLongerAppliesIsRemoved(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v, l: w"));
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
    }

    @Story
    void twoManagersShareAnObject(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a", "two", MAP.formatted("l: w"));
        server.apply(CONFIG_MAPS + "/a", "one", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    }

    @Story
    void twoManagersMayAgreeOnAValue(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a", "two", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted(""));
    }

    @Story
    void aFieldOfAnotherManagerIsAConflict(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v, l: w"));
        server.apply(CONFIG_MAPS + "/a", "two", MAP.formatted("k: other"));
        server.apply(CONFIG_MAPS + "/a", "two", MAP.formatted("k: other, l: other"));
    }

    @Story
    void aConflictIsForced(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a?force=true", "two", MAP.formatted("k: other"));
    }

    @Story
    void aFieldThatAnUpdateWroteIsAConflict(Dialogue server) {
        server.post(CONFIG_MAPS + "?fieldManager=writer", MAP.formatted("k: v"));
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: other"));
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
    }

    @Story
    void anUpdateTakesAFieldFromItsApplier(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v, l: w"));
        server.mergePatch(CONFIG_MAPS + "/a?fieldManager=writer", "{data: {k: changed}}");
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v, l: w"));
    }

    @Story
    void aManagerIsNeeded(Dialogue server) {
        server.send(server.request("PATCH", CONFIG_MAPS + "/a")
                .type("application/apply-patch+yaml")
                .body(MAP.formatted("k: v")));
    }

    @Story
    void applySpeaksYaml(Dialogue server) {
        server.send(server.request("PATCH", CONFIG_MAPS + "/a?fieldManager=one")
                .type("application/apply-patch+yaml")
                .body("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"));
    }

    @Story
    void applyNeedsKindAndVersion(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", "{metadata: {name: a}, data: {k: v}}");
        server.apply(CONFIG_MAPS + "/a", "one", "{apiVersion: v1, kind: Secret, metadata: {name: a}}");
    }

    @Story
    void managedFieldsMayNotBeApplied(Dialogue server) {
        server.apply(
                CONFIG_MAPS + "/a",
                "one",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, managedFields: [{manager: x, operation: Apply}]}}");
    }

    @Story
    void forceIsOnlyForApply(Dialogue server) {
        server.post(CONFIG_MAPS, MAP.formatted("k: v"));
        server.mergePatch(CONFIG_MAPS + "/a?force=true", "{data: {k: w}}");
    }

    @Story
    void listsThatAreMapsAreMergedByTheirKeys(Dialogue server) {
        var deployment = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers:
                      - name: c
                        image: i
                        ports: [{containerPort: 80, protocol: TCP}]
                        env: [{name: A, value: "1"}]
                """;
        server.apply(DEPLOYMENTS + "/web", "one", deployment);
        server.apply(DEPLOYMENTS + "/web", "two", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  template:
                    spec:
                      containers:
                      - name: c
                        env: [{name: B, value: "2"}]
                      - name: side
                        image: j
                """);
        server.apply(DEPLOYMENTS + "/web", "two", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}");
    }

    @Story
    void setsAreMerged(Dialogue server) {
        server.apply(
                CONFIG_MAPS + "/a",
                "one",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [example.org/one]}}");
        server.apply(
                CONFIG_MAPS + "/a",
                "two",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [example.org/two]}}");
        server.apply(CONFIG_MAPS + "/a", "one", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    }

    @Story
    void applyToTheStatusIsItsOwnEntry(Dialogue server) {
        server.quietly("POST", PODS, Paths.SMALL_POD);
        server.apply(
                PODS + "/small/status",
                "kubelet",
                "{apiVersion: v1, kind: Pod, metadata: {name: small}, status: {phase: Running, podIPs: [{ip: 10.0.0.1}]}}");
    }

    @Story
    void applyUnderAVersionConflictsWhenItIsOld(Dialogue server) {
        server.apply(CONFIG_MAPS + "/a", "one", MAP.formatted("k: v"));
        server.apply(
                CONFIG_MAPS + "/a",
                "one",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: \"1\"}, data: {k: w}}");
    }

    @Story
    void applyOfAnUnknownFieldIsRefused(Dialogue server) {
        server.apply(
                CONFIG_MAPS + "/a",
                "one",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}, colour: blue}");
    }
}
