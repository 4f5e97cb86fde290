package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Input that is wrong: what is said, and that nothing is stored. */
@OnBothServers
class BadInputIT {
    private static void post(Dialogue server, String path, String type, String body) {
        server.send(server.request("POST", path).type(type).body(body));
    }

    @Story
    void malformedJsonIsRefused(Dialogue server) {
        post(server, CONFIG_MAPS, "application/json", "{\"metadata\": {\"name\": \"a\"");
        post(server, CONFIG_MAPS, "application/json", "{\"metadata\": nonsense}");
        post(server, CONFIG_MAPS, "application/json", "not json at all");
        server.get(CONFIG_MAPS);
    }

    @Story
    void malformedYamlIsRefused(Dialogue server) {
        server.leaveOut("/message", "the words are those of Go's YAML parser, with its own positions");
        post(server, CONFIG_MAPS, "application/yaml", "metadata: {name: a");
        post(server, CONFIG_MAPS, "application/yaml", "a: b: c");
        server.get(CONFIG_MAPS);
    }

    @Story
    void anEmptyBodyIsRefused(Dialogue server) {
        server.send(server.request("POST", CONFIG_MAPS).type("application/json"));
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}}");
        server.send(server.request("PUT", CONFIG_MAPS + "/a").type("application/json"));
        server.send(server.request("PATCH", CONFIG_MAPS + "/a").type("application/merge-patch+json"));
    }

    @Story
    void anArrayIsNoObject(Dialogue server) {
        post(server, CONFIG_MAPS, "application/json", "[]");
        post(server, CONFIG_MAPS, "application/json", "\"text\"");
        post(server, CONFIG_MAPS, "application/json", "null");
    }

    @Story
    void anotherKindIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: Secret, metadata: {name: a}}");
        server.post(DEPLOYMENTS, "{apiVersion: v1, kind: Pod, metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: Spaceship, metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{apiVersion: space/v9, kind: ConfigMap, metadata: {name: a}}");
        server.get(CONFIG_MAPS);
    }

    @Story
    void tooLargeABodyIsRefused(Dialogue server) {
        var large =
                "{\"metadata\": {\"name\": \"a\"}, \"data\": {\"k\": \"" + "x".repeat(3 * 1024 * 1024 + 100) + "\"}}";
        post(server, CONFIG_MAPS, "application/json", large);
        server.get(CONFIG_MAPS);
    }

    @Story
    void tooMuchDataInAConfigMapIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: " + "x".repeat(1024 * 1024 + 1) + "}}");
    }

    @Story
    void anUnknownResourceIsNotFound(Dialogue server) {
        server.get("/api/v1/namespaces/{ns}/spaceships");
        server.get("/apis/space.example.org/v1/spaceships");
        server.get("/apis/apps/v7/deployments");
        server.post("/api/v1/namespaces/{ns}/spaceships", "{metadata: {name: a}}");
        server.get("/nothing/here");
        server.get("/api/v1/namespaces/{ns}/configmaps/a/b/c");
        server.get("/api/v1/namespaces/{ns}/pods/a/spaceship");
    }

    @Story
    void aMethodThatIsNotServedIsRefused(Dialogue server) {
        server.put(CONFIG_MAPS, "{metadata: {name: a}}");
        server.post(CONFIG_MAPS + "/a", "{metadata: {name: a}}");
        server.mergePatch(CONFIG_MAPS, "{}");
        server.get("/api/v1/namespaces/{ns}/pods/a/binding");
        server.post("/api/v1/pods", SMALL_POD);
        server.delete("/api/v1/configmaps");
    }

    @Story
    void anUnsupportedMediaTypeIsRefused(Dialogue server) {
        post(server, CONFIG_MAPS, "text/plain", "{}");
        post(server, CONFIG_MAPS, "application/xml", "<a/>");
    }

    @Story
    void anAnswerOfAnUnknownTypeIsRefused(Dialogue server) {
        server.send(server.request("GET", CONFIG_MAPS).accept("text/html"));
        server.send(server.request("GET", CONFIG_MAPS).accept("application/json;as=Poem;v=v1;g=meta.k8s.io"));
    }

    @Story
    void severalAcceptedTypesAreTriedInOrder(Dialogue server) {
        server.send(
                server.request("GET", CONFIG_MAPS).accept("text/html, application/yaml;q=0.5, application/json;q=0.4"));
        server.send(server.request("GET", CONFIG_MAPS).accept("*/*"));
    }

    @Story
    void unknownFieldsAreRefusedWhenStrict(Dialogue server) {
        server.post(
                CONFIG_MAPS + "?fieldValidation=Strict",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, colour: red}, shape: round}");
        server.post(
                PODS + "?fieldValidation=Strict",
                "{metadata: {name: a}, spec: {containers: [{name: c, image: i, speed: 9}], mood: good}}");
        server.get(CONFIG_MAPS);
    }

    @Story
    void duplicateFieldsAreRefusedWhenStrict(Dialogue server) {
        post(
                server,
                CONFIG_MAPS + "?fieldValidation=Strict",
                "application/json",
                "{\"metadata\": {\"name\": \"a\"}, \"data\": {\"k\": \"1\"}, \"data\": {\"k\": \"2\"}}");
    }

    @Story
    void unknownFieldsAreWarnedOf(Dialogue server) {
        server.leaveOut("/shape", "the embedded server keeps unknown fields, the real one drops them");
        var made = server.quietly(
                "POST",
                CONFIG_MAPS + "?fieldValidation=Warn",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, shape: round}");
        server.note("code", made.code());
        server.note("warnings", made.warnings());
        var second = server.quietly("PUT", CONFIG_MAPS + "/a", "{metadata: {name: a}, shape: square, size: 4}");
        server.note("warnings of an update, by default", second.warnings());
    }

    @Story
    void unknownFieldsAreIgnoredOnRequest(Dialogue server) {
        var made =
                server.quietly("POST", CONFIG_MAPS + "?fieldValidation=Ignore", "{metadata: {name: a}, shape: round}");
        server.note("code", made.code());
        server.note("warnings", made.warnings());
    }

    @Story
    void anUnknownFieldValidationIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS + "?fieldValidation=Loose", "{metadata: {name: a}}");
    }

    @Story
    void aStrictPatchRefusesUnknownFields(Dialogue server) {
        server.leaveOut("/message", "it quotes the whole object, in the order of Go's fields");
        server.leaveOut("/details/causes/*/message", "it quotes the whole object, in the order of Go's fields");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}}");
        server.mergePatch(CONFIG_MAPS + "/a?fieldValidation=Strict", "{shape: round}");
        server.jsonPatch(CONFIG_MAPS + "/a?fieldValidation=Strict", "[{op: add, path: /shape, value: round}]");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aValueOfTheWrongTypeIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: 5}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: [k]}");
        server.post(CONFIG_MAPS, "{metadata: {name: 5}}");
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: true}}}");
        server.post(PODS, "{metadata: {name: a}, spec: {containers: {name: c}}}");
        server.post(PODS, "{metadata: {name: a}, spec: {terminationGracePeriodSeconds: soon, containers: []}}");
        server.post(PODS, "{metadata: {name: a}, spec: {hostNetwork: \"yes\", containers: []}}");
    }

    @Story
    void aWrongQuantityIsRefused(Dialogue server) {
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {containers: [{name: c, image: i, resources: {limits: {cpu: lots}}}]}}");
    }

    @Story
    void aWrongTimeIsRefused(Dialogue server) {
        server.post(
                "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
                "{metadata: {name: a}, spec: {renewTime: noon}}");
    }

    @Story
    void dryRunHasOneValue(Dialogue server) {
        server.post(CONFIG_MAPS + "?dryRun=Some", "{metadata: {name: a}}");
    }
}
