package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists that are sets or maps hold nothing twice. */
final class ListKeys {
    private ListKeys() {}

    static void check(JsonNode schema, JsonNode value, String path, List<FieldError> errors) {
        if (value.isArray()) {
            String listType = schema.path("x-kubernetes-list-type").asText();
            Set<JsonNode> seen = new HashSet<>();
            for (int i = 0; i < value.size(); i++) {
                String at = path + "[" + i + "]";
                check(schema.path("items"), value.get(i), at, errors);
                if (!listType.equals("set") && !listType.equals("map")) continue;
                JsonNode key = listType.equals("set") ? value.get(i) : key(schema, value.get(i));
                if (!seen.add(key)) errors.add(FieldError.duplicate(at, key.toString()));
            }
        } else if (value.isObject()) {
            JsonNode properties = schema.path("properties");
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                JsonNode child = properties.path(field.getKey());
                if (child.isMissingNode()) child = schema.path("additionalProperties");
                if (child.isObject()) check(child, field.getValue(), SchemaWalk.join(path, field.getKey()), errors);
            }
        }
    }

    /** The fields that tell one item of a list from another. */
    static JsonNode key(JsonNode schema, JsonNode item) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (JsonNode name : schema.path("x-kubernetes-list-map-keys")) {
            if (item.has(name.asText())) key.set(name.asText(), item.get(name.asText()));
        }
        return key;
    }
}
