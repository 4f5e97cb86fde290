package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final Discovery discovery = new Discovery(catalog);

    @Test
    void everyBuiltInTypeHasASchema() {
        assertThat(catalog.all())
                .hasSizeGreaterThan(55)
                .allSatisfy(type -> assertThat(type.schema().properties()).isNotEmpty());
    }

    @Test
    void typesAreFoundByPathAndByKind() {
        assertThat(catalog.byPath("apps", "v1", "deployments").orElseThrow().kind())
                .isEqualTo("Deployment");
        assertThat(catalog.byKind("v1", "Pod").orElseThrow().plural()).isEqualTo("pods");
        assertThat(catalog.byPath("apps", "v2", "deployments")).isEmpty();
    }

    @Test
    void groupsComeInTheOrderOfTheRealServer() {
        var names = discovery.groups().path("groups").findValuesAsText("name");
        assertThat(names)
                .startsWith("apps", "events.k8s.io", "authentication.k8s.io")
                .doesNotContain("");
        assertThat(discovery.group("autoscaling").orElseThrow()).isEqualTo(yaml("""
                                kind: APIGroup
                                apiVersion: v1
                                name: autoscaling
                                versions: [{groupVersion: autoscaling/v2, version: v2}, {groupVersion: autoscaling/v1, version: v1}]
                                preferredVersion: {groupVersion: autoscaling/v2, version: v2}
                                """));
        assertThat(discovery.group("nothing")).isEmpty();
    }

    @Test
    void theCoreListHasNoApiVersion() {
        var list = discovery.resources("", "v1").orElseThrow();
        assertThat(list.has("apiVersion")).isFalse();
        assertThat(list.path("groupVersion").asText()).isEqualTo("v1");
        assertThat(discovery.resources("apps", "v9")).isEmpty();
    }

    @Test
    void subresourcesNameTheirOwnKinds() {
        var list = discovery.resources("apps", "v1").orElseThrow();
        assertThat(list.path("resources")).contains(yaml("""
                                {name: deployments/scale, singularName: '', namespaced: true, group: autoscaling, version: v1, kind: Scale, verbs: [get, patch, update]}
                                """));
    }

    @Test
    void aDefinitionAddsAGroup() {
        catalog.define(widgets("{type: object}"));
        assertThat(discovery.groups().path("groups").findValuesAsText("name")).endsWith("example.com");
        var resources = discovery.resources("example.com", "v1").orElseThrow();
        assertThat(((ObjectNode) resources.path("resources").path(0)).remove("storageVersionHash"))
                .isNotNull();
        assertThat(resources).isEqualTo(yaml("""
                                kind: APIResourceList
                                apiVersion: v1
                                groupVersion: example.com/v1
                                resources:
                                - {name: widgets, singularName: widget, namespaced: true, kind: Widget, verbs: [delete, deletecollection, get, list, patch, create, update, watch], shortNames: [wd], categories: [all]}
                                - {name: widgets/status, singularName: '', namespaced: true, kind: Widget, verbs: [get, patch, update]}
                                - {name: widgets/scale, singularName: '', namespaced: true, group: autoscaling, version: v1, kind: Scale, verbs: [get, patch, update]}
                                """));
    }

    @Test
    void aDefinitionThatGoesTakesItsTypesAlong() {
        catalog.define(widgets("{type: object}"));
        catalog.undefine("widgets.example.com");
        assertThat(catalog.byKind("example.com/v1", "Widget")).isEmpty();
        assertThat(discovery.resources("example.com", "v1")).isEmpty();
    }

    @Test
    void aggregatedDiscoveryNamesGroupAndVersionOfCustomKindsOnly() {
        catalog.define(widgets("{type: object}"));
        var all = discovery.aggregated(false).path("items");
        assertThat(all.get(0).path("versions").get(0).path("resources").get(0).path("responseKind"))
                .isEqualTo(yaml("{group: '', version: '', kind: ControllerRevision}"));
        var custom = all.get(all.size() - 1);
        assertThat(custom.at("/versions/0/resources/0/responseKind"))
                .isEqualTo(yaml("{group: example.com, version: v1, kind: Widget}"));
        assertThat(custom.at("/versions/0/resources/0/subresources/0"))
                .isEqualTo(
                        yaml(
                                "{subresource: status, responseKind: {group: example.com, version: v1, kind: Widget}, verbs: [get, patch, update]}"));
        assertThat(custom.at("/versions/0/freshness").asText()).isEqualTo("Current");
    }

    @Test
    void theCoreGroupIsAggregatedApart() {
        var core = discovery.aggregated(true);
        assertThat(core.path("items")).hasSize(1);
        assertThat(core.at("/items/0/metadata")).isEmpty();
    }

    @Test
    void stableVersionsComeFirst() {
        var sorted = Stream.of("foo10", "v3beta1", "v1", "v12alpha1", "v11beta2", "v10", "foo1", "v2", "v10beta3")
                .sorted(VersionOrder.NEWEST_FIRST)
                .toList();
        assertThat(sorted)
                .isEqualTo(List.of("v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "foo1", "foo10"));
    }
}
