package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DefinitionControllerTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final StoredDefinitions stored = new StoredDefinitions();
    private final DefinitionController controller = new DefinitionController(stored, catalog, () -> NOW);

    @Test
    void theDeviceKindsAreServedFromTheStart() {
        controller.start();
        assertThat(catalog.all().stream()
                        .filter(type -> type.group().equals("devmgmtproto.k8s.io"))
                        .map(ResourceType::plural))
                .containsExactly(
                        "deviceclaims", "deviceclasses", "devicedrivers", "devicepools", "deviceprivilegedclaims");
        assertThat(catalog.byKind("foozer.example.com/v1alpha1", "FoozerConfig"))
                .isPresent();
        assertThat(catalog.byKind("devmgmtproto.k8s.io/v1alpha1", "DevicePool")
                        .orElseThrow()
                        .namespaced())
                .isFalse();
        assertThat(catalog.byKind("devmgmtproto.k8s.io/v1alpha1", "DeviceClaim")
                        .orElseThrow()
                        .hasStatus())
                .isTrue();
    }

    @Test
    void anAcceptedDefinitionIsEstablished() {
        controller.changed(widgets("{type: object}"));
        ObjectNode definition = stored.named("widgets.example.com");
        assertThat(NameClaims.isTrue(definition, "Established")).isTrue();
        assertThat(definition.at("/status/conditions/0/type").asText()).isEqualTo("NamesAccepted");
        assertThat(definition.at("/status/conditions/0/lastTransitionTime").asText())
                .isEqualTo("2026-01-01T00:00:00Z");
        assertThat(definition.at("/status/acceptedNames/plural").asText()).isEqualTo("widgets");
        assertThat(catalog.byKind("example.com/v1", "Widget")).isPresent();
    }

    @Test
    void aSettledDefinitionIsNotWrittenAgain() {
        controller.changed(widgets("{type: object}"));
        controller.changed(stored.named("widgets.example.com"));
        assertThat(stored.statusWrites).isEqualTo(1);
    }

    @Test
    void namesThatAreTakenAreNotAccepted() {
        controller.changed(widgets("{type: object}"));
        ObjectNode other = widgets("{type: object}");
        other.withObjectProperty("metadata").put("name", "gadgets.example.com");
        ObjectNode names = (ObjectNode) other.at("/spec/names");
        names.put("plural", "gadgets").put("singular", "gadget");
        controller.changed(other);

        ObjectNode definition = stored.named("gadgets.example.com");
        assertThat(NameClaims.isTrue(definition, "NamesAccepted")).isFalse();
        assertThat(NameClaims.isTrue(definition, "Established")).isFalse();
        assertThat(definition.at("/status/conditions/0/message").asText())
                .isEqualTo("\"wd\" is already in use, \"Widget\" is already in use");
        assertThat(catalog.byPath("example.com", "v1", "gadgets")).isEmpty();
    }

    @Test
    void aDefinitionThatGoesTakesItsObjectsAlong() {
        controller.changed(widgets("{type: object}"));
        stored.objects.add(Json.yaml("{metadata: {name: a, namespace: n, uid: u}}"));
        controller.deleted(stored.named("widgets.example.com"));
        assertThat(stored.objects).isEmpty();
        assertThat(catalog.byKind("example.com/v1", "Widget")).isEmpty();
    }

    /** Definitions, and the objects of one custom kind. */
    private static final class StoredDefinitions implements Api {
        private final Map<String, ObjectNode> definitions = new LinkedHashMap<>();
        private final List<ObjectNode> objects = new ArrayList<>();
        private int statusWrites;

        ObjectNode named(String name) {
            ObjectNode found = definitions.get(name);
            if (found == null) throw new AssertionError(name);
            return found;
        }

        @Override
        public ObjectNode create(Resource resource, String namespace, ObjectNode object) {
            definitions.put(object.at("/metadata/name").asText(), object);
            return object;
        }

        @Override
        public Optional<ObjectNode> get(Resource resource, String namespace, String name) {
            return Optional.ofNullable(definitions.get(name));
        }

        @Override
        public List<ObjectNode> list(Resource resource, String namespace, Map<String, String> labels) {
            return resource.plural().equals("customresourcedefinitions")
                    ? List.copyOf(definitions.values())
                    : List.copyOf(objects);
        }

        @Override
        public ObjectNode update(Resource resource, ObjectNode object) {
            throw new AssertionError("not asked for");
        }

        @Override
        public ObjectNode updateStatus(Resource resource, ObjectNode object) {
            statusWrites++;
            return create(resource, "", object);
        }

        @Override
        public ObjectNode finalizeNamespace(ObjectNode namespace) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void delete(Resource resource, String namespace, String name, Deletion how) {
            objects.removeIf(object -> object.at("/metadata/name").asText().equals(name));
        }

        @Override
        public Subscription watch(Resource resource, Listener listener) {
            return () -> {};
        }
    }
}
