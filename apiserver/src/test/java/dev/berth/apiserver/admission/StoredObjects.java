package dev.berth.apiserver.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schemas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Stands for the server's store in tests of admission. */
final class StoredObjects implements Lookup, Catalog {
    private static final Schemas SCHEMAS = Schemas.load();
    private static final ObjectMapper YAML = new YAMLMapper();
    private final Map<Resource, Map<String, ObjectNode>> objects = new HashMap<>();
    private final List<ResourceType> types = new ArrayList<>();
    private int version;

    static final ResourceType POD = type("", "v1", "Pod", "pods", true);
    static final ResourceType NODE = type("", "v1", "Node", "nodes", false);
    static final ResourceType NAMESPACE = type("", "v1", "Namespace", "namespaces", false);
    static final ResourceType CONFIG_MAP = type("", "v1", "ConfigMap", "configmaps", true);
    static final ResourceType PRIORITY_CLASS =
            type("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false);
    static final ResourceType MUTATING = type(
            "admissionregistration.k8s.io",
            "v1",
            "MutatingWebhookConfiguration",
            "mutatingwebhookconfigurations",
            false);

    static ResourceType type(String group, String version, String kind, String plural, boolean namespaced) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                plural,
                List.of(),
                List.of(),
                namespaced,
                Set.of(),
                Set.of("status"),
                SCHEMAS.named("io.k8s.api.core.v1.Pod"));
    }

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException(broken);
        }
    }

    static AdmissionAttributes creating(ResourceType type, ObjectNode object) {
        return attributes(Operation.CREATE, type, object, null, false);
    }

    static AdmissionAttributes attributes(
            Operation operation, ResourceType type, ObjectNode object, @Nullable ObjectNode old, boolean dryRun) {
        return new AdmissionAttributes(
                operation,
                type,
                "",
                object.path("metadata").path("namespace").asText(""),
                object.path("metadata").path("name").asText(""),
                old,
                dryRun,
                new User("ada", "uid-1", List.of("people")),
                JsonNodeFactory.instance.objectNode().put("kind", "CreateOptions"));
    }

    StoredObjects with(String group, String version, String plural, String yaml) {
        ObjectNode object = yaml(yaml);
        object.withObjectProperty("metadata").put("resourceVersion", "" + ++this.version);
        String name = object.path("metadata").path("namespace").asText() + "/"
                + object.path("metadata").path("name").asText();
        objects.computeIfAbsent(new Resource(group, version, plural), _ -> new TreeMap<>())
                .put(name, object);
        return this;
    }

    StoredObjects namespace(String name, String phase) {
        return with("", "v1", "namespaces", """
                metadata: {name: %s, labels: {kubernetes.io/metadata.name: %s}}
                status: {phase: %s}
                """.formatted(name, name, phase));
    }

    StoredObjects serving(ResourceType type) {
        types.add(type);
        return this;
    }

    @Override
    public Optional<ObjectNode> find(Resource resource, String namespace, String name) {
        return Optional.ofNullable(objects.getOrDefault(resource, Map.of()).get(namespace + "/" + name));
    }

    @Override
    public List<ObjectNode> all(Resource resource) {
        return List.copyOf(objects.getOrDefault(resource, Map.of()).values());
    }

    @Override
    public Optional<ResourceType> byPath(String group, String version, String plural) {
        return types.stream()
                .filter(type -> type.group().equals(group))
                .filter(type -> type.version().equals(version) && type.plural().equals(plural))
                .findFirst();
    }

    @Override
    public Optional<ResourceType> byKind(String apiVersion, String kind) {
        return types.stream()
                .filter(type ->
                        type.apiVersion().equals(apiVersion) && type.kind().equals(kind))
                .findFirst();
    }

    @Override
    public List<ResourceType> all() {
        return types;
    }
}
