package dev.berth.e2e.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a client learns of the server before it does anything. */
@OnBothServers
class DiscoveryIT {
    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

    private static final List<String> GROUPS = List.of(
            "apps",
            "batch",
            "coordination.k8s.io",
            "scheduling.k8s.io",
            "resource.k8s.io",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "events.k8s.io");

    private static final List<String> CORE = List.of(
            "configmaps",
            "events",
            "namespaces",
            "namespaces/finalize",
            "namespaces/status",
            "nodes",
            "nodes/status",
            "pods",
            "pods/binding",
            "pods/eviction",
            "pods/status",
            "secrets",
            "serviceaccounts",
            "services");

    @Story
    void theCoreGroupHasOneVersion(Dialogue server) {
        server.leaveOut("/serverAddressByClientCIDRs", "the address is the server's own");
        server.get("/api");
    }

    @Story
    void theServerSaysThatItIsWell(Dialogue server) {
        server.get("/healthz");
        server.get("/livez");
        server.get("/readyz");
    }

    @Story
    void theServerSaysItsVersion(Dialogue server) {
        var version = server.quietly("GET", "/version", "").body();
        for (var field : List.of("major", "minor")) server.note(field, version.path(field));
        var names = new TreeSet<String>();
        version.fieldNames().forEachRemaining(names::add);
        server.note("fields", names);
    }

    @Story
    void theCoreResourcesAreListed(Dialogue server) {
        var resources = server.quietly("GET", "/api/v1", "").body();
        server.note("kind", resources.path("kind"));
        for (var name : CORE) server.note(name, named(resources.path("resources"), name));
    }

    @Story
    void eachGroupIsListed(Dialogue server) {
        var groups = server.quietly("GET", "/apis", "").body();
        server.note("kind", groups.path("kind"));
        server.note("apiVersion", groups.path("apiVersion"));
        for (var name : GROUPS) {
            var group = named(groups.path("groups"), name);
            server.note(name, group.path("preferredVersion"));
            var direct = server.quietly("GET", "/apis/" + name, "").body();
            server.note("kind of " + name, direct.path("kind"));
            server.note("preferred", direct.path("preferredVersion"));
        }
    }

    @Story
    void theResourcesOfTheGroupsAreListed(Dialogue server) {
        resources(
                server,
                "apps/v1",
                "deployments",
                "deployments/scale",
                "deployments/status",
                "replicasets",
                "statefulsets");
        resources(server, "batch/v1", "jobs", "jobs/status");
        resources(server, "coordination.k8s.io/v1", "leases");
        resources(server, "scheduling.k8s.io/v1", "priorityclasses");
        resources(server, "events.k8s.io/v1", "events");
        resources(server, "apiextensions.k8s.io/v1", "customresourcedefinitions", "customresourcedefinitions/status");
        resources(
                server,
                "resource.k8s.io/v1",
                "deviceclasses",
                "resourceclaims",
                "resourceclaims/status",
                "resourceclaimtemplates",
                "resourceslices");
        resources(
                server,
                "admissionregistration.k8s.io/v1",
                "mutatingwebhookconfigurations",
                "validatingwebhookconfigurations");
    }

    private static void resources(Dialogue server, String version, String... names) {
        var resources = server.quietly("GET", "/apis/" + version, "").body();
        server.note("kind", resources.path("kind"));
        server.note("version", resources.path("groupVersion"));
        for (var name : names) server.note(name, named(resources.path("resources"), name));
    }

    @Story
    void anUnknownGroupIsNotFound(Dialogue server) {
        server.get("/apis/unknown.example.org");
        server.get("/apis/unknown.example.org/v1");
        server.get("/api/v9");
    }

    @Story
    void discoveryIsAggregated(Dialogue server) {
        aggregated(server, "/api", "", "v1", List.of("pods", "nodes", "configmaps"));
        aggregated(server, "/apis", "apps", "v1", List.of("deployments", "statefulsets"));
        aggregated(server, "/apis", "coordination.k8s.io", "v1", List.of("leases"));
        aggregated(server, "/apis", "resource.k8s.io", "v1", List.of("resourceclaims", "resourceslices"));
    }

    private static void aggregated(Dialogue server, String path, String group, String version, List<String> names) {
        var answer =
                server.quietly(server.request("GET", path).accept(AGGREGATED)).body();
        server.note("kind", answer.path("kind"));
        server.note("apiVersion", answer.path("apiVersion"));
        for (var item : answer.path("items")) {
            if (!item.at("/metadata/name").asText().equals(group)) continue;
            for (var each : item.path("versions")) {
                if (!each.path("version").asText().equals(version)) continue;
                for (var resource : each.path("resources")) {
                    if (names.contains(resource.path("resource").asText())) server.note(group, sorted(resource));
                }
            }
        }
    }

    @Story
    void openApiDescribesThePod(Dialogue server) {
        var paths = server.quietly("GET", "/openapi/v3", "").body().path("paths");
        for (var path : List.of("api/v1", "apis/apps/v1", "apis/coordination.k8s.io/v1")) {
            server.note(path, paths.has(path));
        }
        var schemas = server.quietly("GET", "/openapi/v3/api/v1", "").body().at("/components/schemas");
        server.note("pod", schemas.path("io.k8s.api.core.v1.Pod"));
        server.leaveOut("/properties/devices", "a field of the device kinds, which only the embedded server knows");
        server.leaveOut("/properties/*/enum", "a running server adds enums to what Kubernetes publishes");
        server.leaveOut("/properties/*/description", "and describes them");
        server.note("container", schemas.path("io.k8s.api.core.v1.Container"));
    }

    @Story
    void theOlderOpenApiDescribesThePodToo(Dialogue server) {
        var definitions = server.quietly("GET", "/openapi/v2", "").body().path("definitions");
        server.note("pod", definitions.path("io.k8s.api.core.v1.Pod"));
    }

    /** Subresources come in no particular order. */
    private static JsonNode sorted(JsonNode resource) {
        var copy = (ObjectNode) resource.deepCopy();
        var subresources = new ArrayList<JsonNode>();
        copy.path("subresources").forEach(subresources::add);
        subresources.removeIf(each -> !Set.of("status", "binding", "eviction", "scale")
                .contains(each.path("subresource").asText()));
        subresources.sort(Comparator.comparing(each -> each.path("subresource").asText()));
        copy.putArray("subresources").addAll(subresources);
        return copy;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (var item : list) if (item.path("name").asText().equals(name)) return item;
        return TextNode.valueOf("(not there)");
    }
}
