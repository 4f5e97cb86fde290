package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** The published schemas of Kubernetes read the plainest way, so that these tests need no other room. */
record PublishedSchema(JsonNode node) implements Schema {
    private static final JsonNode DEFINITIONS = load();

    static ResourceType pods() {
        return type("", "v1", "Pod", "pods", "io.k8s.api.core.v1.Pod");
    }

    static ResourceType configMaps() {
        return type("", "v1", "ConfigMap", "configmaps", "io.k8s.api.core.v1.ConfigMap");
    }

    static ResourceType deployments() {
        return type("apps", "v1", "Deployment", "deployments", "io.k8s.api.apps.v1.Deployment");
    }

    static ResourceType services() {
        return type("", "v1", "Service", "services", "io.k8s.api.core.v1.Service");
    }

    /** A kind of its own, as a custom resource definition makes one. */
    static ResourceType custom(JsonNode schema) {
        return type("example.com", "v1", "Widget", "widgets", new PublishedSchema(schema));
    }

    private static ResourceType type(String group, String version, String kind, String plural, String definition) {
        return type(group, version, kind, plural, new PublishedSchema(DEFINITIONS.path(definition)));
    }

    private static ResourceType type(String group, String version, String kind, String plural, Schema schema) {
        Set<String> subresources = kind.equals("ConfigMap") ? Set.of() : Set.of("status");
        return new ResourceType(
                group, version, kind, plural, kind, List.of(), List.of(), true, Set.of(), subresources, schema);
    }

    private static JsonNode load() {
        try (InputStream in = Objects.requireNonNull(
                ResourceType.class.getResourceAsStream("/dev/berth/apiserver/kubernetes-1.36-schemas.json.gz"))) {
            return new ObjectMapper().readTree(new GZIPInputStream(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode target() {
        JsonNode reference = node.has("$ref") ? node : node.path("allOf").path(0);
        if (!reference.has("$ref")) return node;
        String name = reference.path("$ref").asText();
        return DEFINITIONS.path(name.substring(name.lastIndexOf('/') + 1));
    }

    private JsonNode extension(String name) {
        return node.has(name) ? node.path(name) : target().path(name);
    }

    @Override
    public Type type() {
        JsonNode target = target();
        if (target.path("format").asText().equals("int-or-string") || target.has("oneOf")) return Type.INT_OR_STRING;
        return switch (target.path("type").asText()) {
            case "object" -> Type.OBJECT;
            case "array" -> Type.ARRAY;
            case "string" -> Type.STRING;
            case "integer" -> Type.INTEGER;
            case "number" -> Type.NUMBER;
            case "boolean" -> Type.BOOLEAN;
            default -> Type.ANY;
        };
    }

    @Override
    public Map<String, Schema> properties() {
        Map<String, Schema> result = new LinkedHashMap<>();
        target().path("properties")
                .properties()
                .forEach(field -> result.put(field.getKey(), new PublishedSchema(field.getValue())));
        return result;
    }

    @Override
    public Optional<Schema> property(String name) {
        JsonNode property = target().path("properties").path(name);
        return property.isMissingNode() ? additionalProperties() : Optional.of(new PublishedSchema(property));
    }

    @Override
    public Optional<Schema> additionalProperties() {
        return child("additionalProperties");
    }

    @Override
    public Optional<Schema> items() {
        return child("items");
    }

    private Optional<Schema> child(String name) {
        JsonNode child = target().path(name);
        return child.isObject() ? Optional.of(new PublishedSchema(child)) : Optional.empty();
    }

    @Override
    public ListType listType() {
        return switch (extension("x-kubernetes-list-type").asText()) {
            case "set" -> ListType.SET;
            case "map" -> ListType.MAP;
            default -> ListType.ATOMIC;
        };
    }

    @Override
    public List<String> listMapKeys() {
        return strings(extension("x-kubernetes-list-map-keys"));
    }

    @Override
    public boolean atomicMap() {
        return extension("x-kubernetes-map-type").asText().equals("atomic");
    }

    @Override
    public Optional<String> patchMergeKey() {
        return Optional.ofNullable(extension("x-kubernetes-patch-merge-key").textValue());
    }

    @Override
    public Set<String> patchStrategies() {
        return Set.of(extension("x-kubernetes-patch-strategy").asText().split(","));
    }

    @Override
    public boolean preservesUnknownFields() {
        return extension("x-kubernetes-preserve-unknown-fields").asBoolean();
    }

    @Override
    public boolean nullable() {
        return extension("nullable").asBoolean();
    }

    @Override
    public Set<String> required() {
        return new HashSet<>(strings(target().path("required")));
    }

    @Override
    public Optional<JsonNode> defaultValue() {
        JsonNode value = extension("default");
        return value instanceof MissingNode ? Optional.empty() : Optional.of(value);
    }

    @Override
    public JsonNode raw() {
        return target();
    }

    private static List<String> strings(JsonNode list) {
        List<String> result = new ArrayList<>();
        list.forEach(each -> result.add(each.asText()));
        return result;
    }
}
