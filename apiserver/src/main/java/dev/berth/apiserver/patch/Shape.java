package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.kinds.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a value is taken apart for field ownership, by its schema. What no schema declares is taken by its looks: objects
 * by field, lists whole.
 */
final class Shape {
    private Shape() {}

    /** An object whose fields are owned one by one. */
    static boolean isGranular(JsonNode value, @Nullable Schema schema) {
        return value.isObject() && (schema == null || !schema.atomicMap());
    }

    /** A list whose items are owned one by one. */
    static boolean isAssociative(JsonNode value, @Nullable Schema schema) {
        return value.isArray() && schema != null && schema.listType() != Schema.ListType.ATOMIC;
    }

    static @Nullable Schema child(@Nullable Schema schema, String field) {
        return schema == null ? null : schema.property(field).orElse(null);
    }

    static @Nullable Schema item(@Nullable Schema schema) {
        return schema == null ? null : schema.items().orElse(null);
    }

    static boolean declares(@Nullable Schema schema, String field) {
        return schema != null && schema.properties().containsKey(field);
    }

    /** What names the item in an associative list; null when it has nothing that could. */
    static @Nullable String element(JsonNode item, Schema list) {
        if (list.listType() == Schema.ListType.SET) {
            return item.isContainerNode() || item.isNull() ? null : PathElement.value(item);
        }
        if (!item.isObject()) return null;
        List<String> keys = list.listMapKeys();
        if (keys.size() == 1) {
            JsonNode value = keyValue(item, keys.getFirst(), list);
            return value == null ? null : PathElement.key(keys, List.of(value));
        }
        List<String> names = new ArrayList<>(keys.size());
        List<JsonNode> values = new ArrayList<>(keys.size());
        for (String key : keys.stream().sorted().toList()) {
            JsonNode value = keyValue(item, key, list);
            if (value != null) {
                names.add(key);
                values.add(value);
            }
        }
        return names.isEmpty() ? null : PathElement.key(names, values);
    }

    private static @Nullable JsonNode keyValue(JsonNode item, String key, Schema list) {
        JsonNode value = item.get(key);
        if (value != null && !value.isNull()) return value;
        Schema schema = child(item(list), key);
        return schema == null ? null : schema.defaultValue().orElse(null);
    }
}
