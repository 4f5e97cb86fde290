package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SECRETS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Creating and reading single objects. */
@OnBothServers
class CreateIT {
    @Story
    void aConfigMapIsCreatedAndRead(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {color: blue}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void kindAndVersionMayBeLeftOut(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {color: blue}}");
    }

    @Story
    void theSecondObjectOfAnNameIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    }

    @Story
    void aMissingObjectIsNotFound(Dialogue server) {
        server.get(CONFIG_MAPS + "/nobody");
        server.get("/apis/apps/v1/namespaces/{ns}/deployments/nobody");
    }

    @Story
    void aNameIsGenerated(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: many-}}");
    }

    @Story
    void aLongGeneratedNameIsCut(Dialogue server) {
        var created = server.quietly(
                "POST", CONFIG_MAPS, "{metadata: {generateName: %s}}".formatted("abcdefghi.".repeat(30)));
        server.note("length of the name", created.at("/metadata/name").length());
        server.note("code", created.code());
    }

    @Story
    void aNameOrAGeneratedNameIsNeeded(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, data: {a: b}}");
    }

    @Story
    void whatTheServerDecidesIsNotTakenFromTheClient(Dialogue server) {
        server.post(CONFIG_MAPS, """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: a
                  uid: 11111111-2222-3333-4444-555555555555
                  creationTimestamp: "2001-01-01T00:00:00Z"
                  deletionTimestamp: "2001-01-01T00:00:00Z"
                  deletionGracePeriodSeconds: 7
                  generation: 9
                  selfLink: /somewhere
                """);
    }

    @Story
    void aResourceVersionIsRefusedOnCreation(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: \"7\"}}");
    }

    @Story
    void theNamespaceOfTheBodyMustBeThatOfThePath(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: elsewhere}}");
    }

    @Story
    void aNamespaceMustExist(Dialogue server) {
        server.post("/api/v1/namespaces/nowhere/configmaps", "{metadata: {name: a}}");
    }

    @Story
    void aClusterWideObjectHasNoNamespace(Dialogue server) {
        server.cleanUp("/api/v1/nodes/n");
        server.post("/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: n, namespace: \"{ns}\"}}");
    }

    @Story
    void aNamespaceIsCreatedWithItsLabelAndFinalizer(Dialogue server) {
        server.post(NAMESPACES, "{apiVersion: v1, kind: Namespace, metadata: {name: fresh-and-new}}");
        server.get(NAMESPACES + "/fresh-and-new");
    }

    @Story
    void aSecretTakesPlainTextAndKeepsBase64(Dialogue server) {
        server.post(
                SECRETS,
                "{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: text}, data: {b: Ynl0ZXM=}}");
        server.get(SECRETS + "/s");
    }

    @Story
    void aPodGetsItsDefaults(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.get(PODS + "/small");
    }

    @Story
    void theStatusOfANewPodIsNotTakenFromTheClient(Dialogue server) {
        server.post(PODS, """
                metadata: {name: eager}
                spec: {containers: [{name: main, image: i}]}
                status: {phase: Running, podIP: 10.0.0.1}
                """);
    }

    @Story
    void theManagerOfFieldsCanBeNamed(Dialogue server) {
        server.post(
                CONFIG_MAPS + "?fieldManager=captain",
                "{metadata: {name: a, labels: {x: y}, annotations: {p: q}}, data: {k: v}}");
    }

    @Story
    void aManagersNameHasRules(Dialogue server) {
        server.post(CONFIG_MAPS + "?fieldManager=" + "x".repeat(129), "{metadata: {name: a}}");
    }

    @Story
    void theAnswerIsPrettyOnRequest(Dialogue server) {
        var plain = server.quietly("POST", CONFIG_MAPS + "?pretty=false", "{metadata: {name: a}}");
        server.note("one line", plain.text().strip().lines().count() == 1);
        var pretty = server.quietly("GET", CONFIG_MAPS + "/a?pretty=true", "");
        server.note("several lines", pretty.text().strip().lines().count() > 5);
    }

    @Story
    void theAnswerIsYamlOnRequest(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.send(server.request("GET", CONFIG_MAPS + "/a").accept("application/yaml"));
    }

    @Story
    void yamlIsTakenAsABody(Dialogue server) {
        server.send(server.request("POST", CONFIG_MAPS).type("application/yaml").body("""
                        # a comment
                        metadata:
                          name: a
                        data:
                          text: |
                            two
                            lines
                        """));
    }
}
