package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final OpenApi openApi = new OpenApi(catalog);

    private JsonNode document(String path) {
        return parse(openApi.groupVersion(path).orElseThrow());
    }

    private static JsonNode parse(OpenApi.Document document) {
        try {
            return new ObjectMapper().readTree(document.bytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode operation(JsonNode document, String path, String method) {
        return document.path("paths").path(path).path(method);
    }

    @Test
    void theIndexNamesEveryGroupWithTheHashOfItsDocument() {
        var index = openApi.index().path("paths");
        String url = index.path("apis/apps/v1").path("serverRelativeURL").asText();
        assertThat(url).matches("/openapi/v3/apis/apps/v1\\?hash=[0-9A-F]{128}");
        assertThat(url)
                .endsWith(openApi.groupVersion("apis/apps/v1").orElseThrow().hash());
        assertThat(index.has("api/v1")).isTrue();
        assertThat(openApi.groupVersion("apis/nothing/v1")).isEmpty();
    }

    @Test
    void everyReferenceOfADocumentIsInIt() {
        catalog.define(widgets("{type: object}"));
        openApi.index().path("paths").fieldNames().forEachRemaining(path -> {
            JsonNode document = document(path);
            for (String reference : document.findValuesAsText("$ref")) {
                if (!reference.startsWith("#/components/")) continue;
                assertThat(document.at("/components/schemas").has(Schemas.definitionOf(reference)))
                        .as("%s in %s", reference, path)
                        .isTrue();
            }
        });
    }

    @Test
    void patchesTakeFieldValidation() {
        JsonNode patch = operation(document("api/v1"), "/api/v1/namespaces/{namespace}/configmaps/{name}", "patch");
        assertThat(patch.path("parameters").findValuesAsText("name"))
                .containsExactly("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(patch.path("x-kubernetes-group-version-kind"))
                .isEqualTo(yaml("{group: '', version: v1, kind: ConfigMap}"));
        assertThat(patch.at("/requestBody/content").has("application/strategic-merge-patch+json"))
                .isTrue();
        assertThat(patch.path("operationId").asText()).isEqualTo("patchCoreV1NamespacedConfigMap");
    }

    @Test
    void clusterScopedTypesHaveNoNamespaceInTheirPath() {
        assertThat(operation(document("api/v1"), "/api/v1/nodes/{name}", "get").isObject())
                .isTrue();
        assertThat(document("api/v1").path("paths").has("/api/v1/namespaces/{namespace}/nodes"))
                .isFalse();
    }

    @Test
    void definitionsKnowTheirKind() {
        assertThat(document("apis/apps/v1")
                        .at("/components/schemas/io.k8s.api.apps.v1.Deployment/x-kubernetes-group-version-kind/0/kind")
                        .asText())
                .isEqualTo("Deployment");
    }

    @Test
    void customTypesAreDescribedLikeBuiltInOnes() {
        catalog.define(widgets("{type: object, properties: {size: {type: integer, description: How big it is.}}}"));
        JsonNode document = document("apis/example.com/v1");
        JsonNode widget = document.at("/components/schemas/com.example.v1.Widget");
        assertThat(widget.at("/properties/spec/properties/size/description").asText())
                .isEqualTo("How big it is.");
        assertThat(widget.at("/properties/metadata/allOf/0/$ref").asText()).endsWith("ObjectMeta");
        assertThat(operation(document, "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/scale", "patch")
                        .at("/x-kubernetes-group-version-kind/kind")
                        .asText())
                .isEqualTo("Scale");
        assertThat(document.at("/components/schemas/com.example.v1.WidgetList/x-kubernetes-group-version-kind/0/kind")
                        .asText())
                .isEqualTo("WidgetList");
    }

    @Test
    void aChangedDefinitionChangesTheHash() {
        catalog.define(widgets("{type: object}"));
        var before = openApi.groupVersion("apis/example.com/v1").orElseThrow();
        var core = openApi.groupVersion("api/v1").orElseThrow();
        catalog.define(widgets("{type: object, properties: {a: {type: string}}}"));
        var after = openApi.groupVersion("apis/example.com/v1").orElseThrow();
        assertThat(after.hash()).isNotEqualTo(before.hash());
        assertThat(new String(after.bytes(), StandardCharsets.UTF_8)).contains("\"a\":{\"type\":\"string\"}");
        assertThat(openApi.groupVersion("api/v1").orElseThrow()).isSameAs(core);
    }

    @Test
    void version2HoldsEverything() {
        catalog.define(widgets("{type: object}"));
        JsonNode swagger = parse(openApi.version2());
        assertThat(swagger.at("/definitions/io.k8s.api.core.v1.PodSpec/properties/affinity/$ref")
                        .asText())
                .isEqualTo("#/definitions/io.k8s.api.core.v1.Affinity");
        assertThat(swagger.at("/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity/type")
                        .asText())
                .isEqualTo("string");
        assertThat(swagger.at("/definitions/com.example.v1.Widget/properties/metadata/$ref")
                        .asText())
                .endsWith("ObjectMeta");
        assertThat(swagger.toString()).doesNotContain("#/components/");
        for (String reference : swagger.findValuesAsText("$ref")) {
            if (!reference.startsWith("#/definitions/")) continue;
            assertThat(swagger.path("definitions").has(Schemas.definitionOf(reference)))
                    .as(reference)
                    .isTrue();
        }
    }
}
