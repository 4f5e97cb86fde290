package dev.berth.apiserver.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class SchemasTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private final Schema pod = SCHEMAS.named("io.k8s.api.core.v1.Pod");

    private static Schema at(Schema schema, String... path) {
        Schema found = schema;
        for (String step : path) {
            found = step.equals("*")
                    ? found.items().or(found::additionalProperties).orElseThrow()
                    : found.property(step).orElseThrow();
        }
        return found;
    }

    @Test
    void everyDefinitionParses() {
        assertThat(SCHEMAS.names())
                .hasSizeGreaterThan(500)
                .allSatisfy(name -> SCHEMAS.named(name).properties().values().forEach(Schema::type));
    }

    @Test
    void anUnknownDefinitionIsRefused() {
        assertThat(SCHEMAS.find("nothing")).isEmpty();
        assertThatThrownBy(() -> SCHEMAS.named("nothing")).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void referencesAreFollowed() {
        assertThat(at(pod, "spec", "containers", "*", "image").type()).isEqualTo(Schema.Type.STRING);
        assertThat(at(pod, "spec", "containers", "*", "ports").listMapKeys())
                .containsExactly("containerPort", "protocol");
        assertThat(at(pod, "spec", "containers", "*", "ports").listType()).isEqualTo(Schema.ListType.MAP);
        assertThat(at(pod, "spec", "containers", "*", "ports").patchMergeKey()).contains("containerPort");
    }

    @Test
    void aFieldThatIsNotThereIsNotKnown() {
        assertThat(pod.property("spek")).isEmpty();
        assertThat(pod.preservesUnknownFields()).isFalse();
    }

    @Test
    void mapsKnowTheirValues() {
        Schema labels = at(pod, "metadata", "labels");
        assertThat(labels.properties()).isEmpty();
        assertThat(at(labels, "any").type()).isEqualTo(Schema.Type.STRING);
    }

    @Test
    void quantitiesAndPortsAreIntOrString() {
        assertThat(at(pod, "spec", "containers", "*", "resources", "limits", "cpu")
                        .type())
                .isEqualTo(Schema.Type.INT_OR_STRING);
        assertThat(at(pod, "spec", "containers", "*", "livenessProbe", "httpGet", "port")
                        .type())
                .isEqualTo(Schema.Type.INT_OR_STRING);
    }

    @Test
    void whatStandsBesideAReferenceCounts() {
        Schema strategy = at(SCHEMAS.named("io.k8s.api.apps.v1.Deployment"), "spec", "strategy");
        assertThat(strategy.patchStrategies()).containsExactly("retainKeys");
        assertThat(at(pod, "spec", "volumes").patchStrategies()).containsExactlyInAnyOrder("merge", "retainKeys");
        assertThat(at(SCHEMAS.named("io.k8s.api.apps.v1.Deployment"), "spec", "selector")
                        .atomicMap())
                .isTrue();
    }

    @Test
    void rawExtensionsHoldAnything() {
        Schema data = at(SCHEMAS.named("io.k8s.api.apps.v1.ControllerRevision"), "data");
        assertThat(data.preservesUnknownFields()).isTrue();
    }

    @Test
    void schemasThatReferToThemselvesAreFollowedAsFarAsAsked() {
        Schema props = at(
                SCHEMAS.named("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"),
                "spec",
                "versions",
                "*",
                "schema",
                "openAPIV3Schema");
        assertThat(at(props, "properties", "a", "properties", "b", "type").type())
                .isEqualTo(Schema.Type.STRING);
    }

    @Test
    void podsCarryDeviceClaimsOnThisServer() {
        assertThat(at(pod, "spec", "deviceClaims").preservesUnknownFields()).isTrue();
        assertThat(at(pod, "spec", "containers", "*", "devices").preservesUnknownFields())
                .isTrue();
        assertThat(at(pod, "spec", "initContainers", "*", "devices").type()).isEqualTo(Schema.Type.ANY);
    }

    @Test
    void structuralSchemasKnowOnlyWhatTheyDeclare() {
        var json = JsonNodeFactory.instance.objectNode().put("type", "object");
        assertThat(OpenApiSchema.structural(json, SCHEMAS::named).preservesUnknownFields())
                .isFalse();
        json.put("x-kubernetes-preserve-unknown-fields", true);
        assertThat(OpenApiSchema.structural(json, SCHEMAS::named).preservesUnknownFields())
                .isTrue();
    }

    @Test
    void embeddedResourcesHaveMetadata() {
        var json =
                JsonNodeFactory.instance.objectNode().put("type", "object").put("x-kubernetes-embedded-resource", true);
        Schema embedded = OpenApiSchema.structural(json, SCHEMAS::named);
        assertThat(at(embedded, "metadata", "name").type()).isEqualTo(Schema.Type.STRING);
        assertThat(at(embedded, "kind").type()).isEqualTo(Schema.Type.STRING);
    }
}
