package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CRDS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Kinds that are defined while the server runs. */
@OnBothServers
class CustomResourceIT {
    private static final String BOATS = "/apis/harbour.example.org/v1/namespaces/{ns}/boats";

    private static String definition(String group, String kind, String rest) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %2$ss.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {plural: %2$ss, singular: %2$s, kind: %3$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                %4$s
                """.formatted(
                        group,
                        kind,
                        Character.toUpperCase(kind.charAt(0)) + kind.substring(1),
                        rest.indent(4).stripTrailing());
    }

    /** Defines the kind for this story only, and waits until it is served. */
    private static String define(Dialogue server, String kind, String rest) {
        var group = kind + ".example.org";
        server.cleanUp(CRDS + "/" + kind + "s." + group);
        server.quietly("POST", CRDS, definition(group, kind, rest));
        server.await(CRDS + "/" + kind + "s." + group, CustomResourceIT::established);
        var path = "/apis/" + group + "/v1/namespaces/{ns}/" + kind + "s";
        server.await(path, list -> list.has("items"));
        return path;
    }

    private static boolean established(JsonNode definition) {
        for (var condition : definition.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Established")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private static final String LOOSE =
            "schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}";

    private static final String STRICT = """
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                required: [spec]
                properties:
                  spec:
                    type: object
                    required: [length]
                    properties:
                      length: {type: integer, minimum: 1, maximum: 100}
                      color: {type: string, enum: [red, blue], default: blue}
                      name: {type: string, pattern: "^[a-z]+$", maxLength: 5}
                      crew:
                        type: array
                        maxItems: 2
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [role]
                        items:
                          type: object
                          required: [role]
                          properties:
                            role: {type: string}
                            rank: {type: integer, default: 1}
                      weight: {x-kubernetes-int-or-string: true}
                      extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  status:
                    type: object
                    properties:
                      phase: {type: string}
            """;

    @Story
    void aDefinitionIsAccepted(Dialogue server) {
        server.leaveOut("/metadata/managedFields", "the server writes the status of a definition past them");
        server.cleanUp(CRDS + "/boats.harbour.example.org");
        server.post(CRDS, definition("harbour.example.org", "boat", LOOSE));
        server.await(CRDS + "/boats.harbour.example.org", CustomResourceIT::established);
        server.get(CRDS + "/boats.harbour.example.org");
        server.await(BOATS, list -> list.has("items"));
        server.post(BOATS, "{apiVersion: harbour.example.org/v1, kind: Boat, metadata: {name: a}, sails: {big: 2}}");
        server.get(BOATS + "/a");
        server.get(BOATS);
    }

    @Story
    void aDefinitionWithoutASchemaIsRefused(Dialogue server) {
        server.post(CRDS, definition("harbour.example.org", "raft", "deprecated: false"));
    }

    @Story
    void aDefinitionsNameIsItsPluralAndGroup(Dialogue server) {
        server.post(
                CRDS,
                definition("harbour.example.org", "canoe", LOOSE)
                        .replace("{name: canoes.harbour", "{name: other.harbour"));
    }

    @Story
    void aProtectedGroupNeedsApproval(Dialogue server) {
        server.post(CRDS, definition("harbour.k8s.io", "kayak", LOOSE));
    }

    @Story
    void aCustomObjectIsValidated(Dialogue server) {
        var path = define(server, "sloop", STRICT);
        var sloop = "{apiVersion: sloop.example.org/v1, kind: Sloop, metadata: {name: a}, spec: %s}";
        server.post(path, sloop.formatted("{length: 500}"));
        server.post(path, sloop.formatted("{length: 5, color: green}"));
        server.post(path, sloop.formatted("{length: 5, name: toolong}"));
        server.post(path, sloop.formatted("{length: 5, name: UP}"));
        server.post(path, sloop.formatted("{length: five}"));
        server.post(path, sloop.formatted("{}"));
        server.post(path, "{apiVersion: sloop.example.org/v1, kind: Sloop, metadata: {name: a}}");
        server.post(path, sloop.formatted("{length: 5, crew: [{role: a}, {role: b}, {role: c}]}"));
        server.post(path, sloop.formatted("{length: 5, crew: [{role: a}, {role: a}]}"));
        server.get(path);
    }

    @Story
    void aCustomObjectGetsItsDefaults(Dialogue server) {
        var path = define(server, "yawl", STRICT);
        server.post(
                path,
                "{apiVersion: yawl.example.org/v1, kind: Yawl, metadata: {name: a}, spec: {length: 5, weight: 7t, crew: [{role: cook}]}}");
    }

    @Story
    void unknownFieldsOfACustomObjectArePruned(Dialogue server) {
        var path = define(server, "ketch", STRICT);
        server.post(
                path + "?fieldValidation=Ignore",
                "{apiVersion: ketch.example.org/v1, kind: Ketch, metadata: {name: a}, spec: {length: 5, mast: 2, extra: {kept: 1}}, more: 1}");
        server.post(
                path + "?fieldValidation=Strict",
                "{apiVersion: ketch.example.org/v1, kind: Ketch, metadata: {name: b}, spec: {length: 5, mast: 2}, more: 1}");
        server.post(
                path,
                "{apiVersion: ketch.example.org/v1, kind: Ketch, metadata: {name: c}, spec: {length: 5, mast: 2}}");
    }

    @Story
    void theStatusOfACustomObjectIsApart(Dialogue server) {
        var path = define(server, "yacht", STRICT);
        server.post(
                path,
                "{apiVersion: yacht.example.org/v1, kind: Yacht, metadata: {name: a}, spec: {length: 5}, status: {phase: Sailing}}");
        server.mergePatch(path + "/a/status", "{status: {phase: Moored}, spec: {length: 6}}");
        server.mergePatch(path + "/a", "{status: {phase: Sunk}, spec: {length: 7}}");
        server.get(path + "/a/status");
    }

    @Story
    void withoutASubresourceTheStatusIsPartOfTheObject(Dialogue server) {
        var path = define(server, "dinghy", LOOSE);
        server.post(
                path,
                "{apiVersion: dinghy.example.org/v1, kind: Dinghy, metadata: {name: a}, status: {phase: Sailing}}");
        server.mergePatch(path + "/a", "{status: {phase: Moored}}");
        server.get(path + "/a/status");
    }

    @Story
    void aCustomObjectIsPatchedAndApplied(Dialogue server) {
        var path = define(server, "brig", STRICT);
        var brig = "{apiVersion: brig.example.org/v1, kind: Brig, metadata: {name: a}, spec: {length: 5, crew: [%s]}}";
        server.apply(path + "/a", "one", brig.formatted("{role: cook}"));
        server.apply(path + "/a", "two", brig.formatted("{role: mate, rank: 3}"));
        server.mergePatch(path + "/a", "{spec: {color: red}}");
        server.jsonPatch(path + "/a", "[{op: replace, path: /spec/length, value: 9}]");
        server.strategicPatch(path + "/a", "{spec: {length: 8}}");
    }

    @Story
    void aCustomObjectIsPrintedAsItsDefinitionSays(Dialogue server) {
        var path = define(server, "galley", STRICT + """
                        additionalPrinterColumns:
                        - {name: Length, type: integer, jsonPath: .spec.length, description: over all}
                        - {name: Color, type: string, jsonPath: .spec.color, priority: 1}
                        - {name: Phase, type: string, jsonPath: .status.phase}
                        - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                        """);
        server.quietly(
                "POST",
                path,
                "{apiVersion: galley.example.org/v1, kind: Galley, metadata: {name: a}, spec: {length: 5}}");
        server.leaveOut("/rows/*/cells/4", "the age");
        server.send(server.request("GET", path).accept("application/json;as=Table;v=v1;g=meta.k8s.io"));
    }

    @Story
    void aCustomObjectIsPrintedPlainly(Dialogue server) {
        var path = define(server, "barge", LOOSE);
        server.quietly("POST", path, "{apiVersion: barge.example.org/v1, kind: Barge, metadata: {name: a}}");
        server.leaveOut("/rows/*/cells/1", "the age");
        server.send(server.request("GET", path).accept("application/json;as=Table;v=v1;g=meta.k8s.io"));
    }

    @Story
    void aCustomObjectIsCheckedByItsRules(Dialogue server) {
        var path = define(server, "ferry", """
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        x-kubernetes-validations:
                        - {rule: "self.passengers <= self.seats", message: everybody sits}
                        - {rule: "self.seats == oldSelf.seats", message: seats are screwed down}
                        properties:
                          passengers: {type: integer}
                          seats: {type: integer}
                """);
        var ferry =
                "{apiVersion: ferry.example.org/v1, kind: Ferry, metadata: {name: a}, spec: {passengers: %d, seats: %d}}";
        server.post(path, ferry.formatted(9, 5));
        server.post(path, ferry.formatted(3, 5));
        server.mergePatch(path + "/a", "{spec: {seats: 6}}");
        server.mergePatch(path + "/a", "{spec: {passengers: 5}}");
    }

    @Story
    void aCustomObjectIsScaled(Dialogue server) {
        var path = define(server, "fleet", """
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.boats, statusReplicasPath: .status.boats, labelSelectorPath: .status.selector}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {boats: {type: integer}}}
                      status: {type: object, properties: {boats: {type: integer}, selector: {type: string}}}
                """);
        server.quietly(
                "POST", path, "{apiVersion: fleet.example.org/v1, kind: Fleet, metadata: {name: a}, spec: {boats: 2}}");
        server.get(path + "/a/scale");
        server.mergePatch(path + "/a/scale", "{spec: {replicas: 5}}");
        server.get(path + "/a");
    }

    @Story
    void customObjectsAreWatched(Dialogue server) {
        var path = define(server, "cog", LOOSE);
        var watch = server.watch(path);
        server.post(path, "{apiVersion: cog.example.org/v1, kind: Cog, metadata: {name: a, labels: {x: y}}}");
        watch.next(1);
        server.mergePatch(path + "/a", "{wind: west}");
        watch.next(1);
        server.delete(path + "/a");
        watch.next(1);
    }

    @Story
    void aCustomObjectOfAnotherKindIsRefused(Dialogue server) {
        var path = define(server, "tug", LOOSE);
        server.post(path, "{apiVersion: tug.example.org/v1, kind: Tanker, metadata: {name: a}}");
        server.post(path, "{apiVersion: tug.example.org/v2, kind: Tug, metadata: {name: a}}");
        server.post(path, "{metadata: {name: a}}");
        server.get(path + "/nobody");
    }

    @Story
    void twoVersionsShowTheSameObject(Dialogue server) {
        server.leaveOut("/metadata/managedFields", "the server writes the status of a definition past them");
        var path = define(server, "junk", LOOSE);
        server.mergePatch(CRDS + "/junks.junk.example.org", """
                spec:
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                """);
        var second = path.replace("/v1/", "/v2/");
        server.await(second, list -> list.has("items"));
        server.post(path, "{apiVersion: junk.example.org/v1, kind: Junk, metadata: {name: a}, sail: red}");
        server.get(second + "/a");
        server.mergePatch(second + "/a", "{sail: brown}");
        server.get(path + "/a");
    }

    @Story
    void aRemovedDefinitionTakesItsKindAway(Dialogue server) {
        var path = define(server, "skiff", LOOSE);
        server.quietly("DELETE", CRDS + "/skiffs.skiff.example.org", "");
        server.await(path, answer -> answer.isMissingNode() || !answer.has("items"));
        server.note("gone", server.quietly("GET", path, "").code());
    }

    @Story
    void aClusterWideKindHasNoNamespace(Dialogue server) {
        server.cleanUp(CRDS + "/docks.wide.example.org");
        server.quietly(
                "POST", CRDS, definition("wide.example.org", "dock", LOOSE).replace("Namespaced", "Cluster"));
        server.await("/apis/wide.example.org/v1/docks", list -> list.has("items"));
        server.post(
                "/apis/wide.example.org/v1/docks",
                "{apiVersion: wide.example.org/v1, kind: Dock, metadata: {name: a}}");
        server.post(
                "/apis/wide.example.org/v1/namespaces/{ns}/docks",
                "{apiVersion: wide.example.org/v1, kind: Dock, metadata: {name: a}}");
    }

    @Story
    void aNewKindIsDiscovered(Dialogue server) {
        define(server, "frigate", STRICT);
        server.await(
                "/apis/frigate.example.org/v1",
                resources -> resources.path("resources").size() == 2);
        server.get("/apis/frigate.example.org/v1");
        server.get("/apis/frigate.example.org");
    }
}
