package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schema;
import dev.berth.apiserver.status.ApiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an applied object must be so that its fields can be told apart: the right types, and no key twice. */
final class AppliedObject {
    private final List<String> errors = new ArrayList<>();

    private AppliedObject() {}

    /** @throws ApiException a 500 without a reason, which is what Kubernetes gives */
    static void check(ObjectNode applied, ResourceType type) {
        var check = new AppliedObject();
        check.object("", applied, type.schema());
        if (check.errors.isEmpty()) return;
        String message =
                check.errors.size() == 1 ? check.errors.getFirst() : "errors:\n  " + String.join("\n  ", check.errors);
        JsonNode metadata = applied.path("metadata");
        throw StrategicMergePatch.unexplained("failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
                .formatted(
                        metadata.path("namespace").asText(""),
                        metadata.path("name").asText(""),
                        type.group() + "/" + type.version(),
                        type.kind(),
                        message));
    }

    private void object(String path, JsonNode object, @Nullable Schema schema) {
        if (schema == null) return;
        object.properties()
                .forEach(field ->
                        value(path + "." + field.getKey(), field.getValue(), Shape.child(schema, field.getKey())));
    }

    private void value(String path, JsonNode value, @Nullable Schema schema) {
        if (schema == null || value.isNull()) return;
        switch (schema.type()) {
            case OBJECT -> {
                if (value.isObject()) object(path, value, schema);
                else if (!schema.preservesUnknownFields()) wrong(path, "map", printed(value));
            }
            case ARRAY -> {
                if (value.isArray()) list(path, value, schema);
                else wrong(path, "list", printed(value));
            }
            case STRING -> {
                if (!value.isTextual()) wrong(path, "string", boxed(value));
            }
            case INTEGER, NUMBER -> {
                if (!value.isNumber()) wrong(path, "numeric (int or float)", "got " + GoText.type(value));
            }
            case BOOLEAN -> {
                if (!value.isBoolean()) wrong(path, "boolean", boxed(value));
            }
            case INT_OR_STRING, ANY -> {}
        }
    }

    private void list(String path, JsonNode list, Schema schema) {
        boolean associative = Shape.isAssociative(list, schema);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.path(i);
            String element = associative ? Shape.element(item, schema) : "i:" + i;
            if (element == null) {
                errors.add("%s: element %d: %s".formatted(path, i, unnamed(item, schema)));
            } else if (!seen.add(element)) {
                errors.add("%s: duplicate entries for key %s".formatted(path, PathElement.display(element)));
            } else {
                value(path + PathElement.display(element), item, Shape.item(schema));
            }
        }
    }

    private static String unnamed(JsonNode item, Schema list) {
        if (list.listType() == Schema.ListType.SET) {
            if (item.isObject()) return "associative list without keys has an element that's a map type";
            if (item.isArray()) return "not supported: associative list with lists as elements";
            return "associative list without keys has an element that's an explicit null";
        }
        if (item.isNull()) return "associative list with keys may not have a null element";
        if (!item.isObject()) return "associative list with keys may not have non-map elements";
        return "associative list with keys has an element that omits all key fields [%s] (and doesn't have default values for any key fields)"
                .formatted('"' + String.join("\" \"", list.listMapKeys()) + '"');
    }

    private void wrong(String path, String expected, String found) {
        errors.add("%s: expected %s, %s".formatted(path, expected, found));
    }

    private static String printed(JsonNode value) {
        return "got &{" + GoText.of(value) + "}";
    }

    private static String boxed(JsonNode value) {
        String text = value.isTextual() ? value.toString() : GoText.of(value);
        return "got &value.valueUnstructured{Value:" + text + "}";
    }
}
