package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.apiserver.kinds.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A schema written out in a test, as a custom resource definition has one. */
record InlineSchema(JsonNode node) implements Schema {
    @Override
    public Type type() {
        JsonNode target = node;
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
        node.path("properties")
                .properties()
                .forEach(field -> result.put(field.getKey(), new InlineSchema(field.getValue())));
        return result;
    }

    @Override
    public Optional<Schema> property(String name) {
        JsonNode property = node.path("properties").path(name);
        return property.isMissingNode() ? additionalProperties() : Optional.of(new InlineSchema(property));
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
        JsonNode child = node.path(name);
        return child.isObject() ? Optional.of(new InlineSchema(child)) : Optional.empty();
    }

    @Override
    public ListType listType() {
        return switch (node.path("x-kubernetes-list-type").asText()) {
            case "set" -> ListType.SET;
            case "map" -> ListType.MAP;
            default -> ListType.ATOMIC;
        };
    }

    @Override
    public List<String> listMapKeys() {
        return strings(node.path("x-kubernetes-list-map-keys"));
    }

    @Override
    public boolean atomicMap() {
        return node.path("x-kubernetes-map-type").asText().equals("atomic");
    }

    @Override
    public Optional<String> patchMergeKey() {
        return Optional.ofNullable(node.path("x-kubernetes-patch-merge-key").textValue());
    }

    @Override
    public Set<String> patchStrategies() {
        return Set.of(node.path("x-kubernetes-patch-strategy").asText().split(","));
    }

    @Override
    public boolean preservesUnknownFields() {
        return node.path("x-kubernetes-preserve-unknown-fields").asBoolean();
    }

    @Override
    public boolean nullable() {
        return node.path("nullable").asBoolean();
    }

    @Override
    public Set<String> required() {
        return new HashSet<>(strings(node.path("required")));
    }

    @Override
    public Optional<JsonNode> defaultValue() {
        JsonNode value = node.path("default");
        return value instanceof MissingNode ? Optional.empty() : Optional.of(value);
    }

    @Override
    public JsonNode raw() {
        return node;
    }

    private static List<String> strings(JsonNode list) {
        List<String> result = new ArrayList<>();
        list.forEach(each -> result.add(each.asText()));
        return result;
    }
}
