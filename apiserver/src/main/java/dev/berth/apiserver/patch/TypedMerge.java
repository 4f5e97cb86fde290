package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lays an applied object over the live one, and takes fields out again, both by schema. */
final class TypedMerge {
    private TypedMerge() {}

    /** A new object; the arguments stay as they are. */
    static ObjectNode merge(ObjectNode live, ObjectNode applied, @Nullable Schema schema) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        live.properties().forEach(field -> {
            JsonNode over = applied.get(field.getKey());
            JsonNode value = field.getValue();
            result.set(
                    field.getKey(),
                    over == null ? value.deepCopy() : value(value, over, Shape.child(schema, field.getKey())));
        });
        applied.properties().forEach(field -> {
            if (!live.has(field.getKey()))
                result.set(field.getKey(), field.getValue().deepCopy());
        });
        return result;
    }

    private static JsonNode value(JsonNode live, JsonNode applied, @Nullable Schema schema) {
        if (Shape.isGranular(live, schema) && !live.isEmpty()) {
            if (applied.isNull()) return live.deepCopy();
            if (applied instanceof ObjectNode over) return merge((ObjectNode) live, over, schema);
        }
        if (schema != null && Shape.isAssociative(live, schema) && !live.isEmpty()) {
            if (applied.isNull()) return live.deepCopy();
            if (applied instanceof ArrayNode over) return lists((ArrayNode) live, over, schema);
        }
        return applied.deepCopy();
    }

    /** Items that only one side has keep their place; items of both come in the applied order. */
    private static ArrayNode lists(ArrayNode live, ArrayNode applied, Schema schema) {
        List<String> left = elements(live, schema);
        List<String> right = elements(applied, schema);
        Map<String, JsonNode> leftItems = index(live, left);
        Map<String, JsonNode> rightItems = index(applied, right);
        List<String> shared = new ArrayList<>(right);
        shared.removeIf(each -> !leftItems.containsKey(each));
        Set<String> done = new HashSet<>();
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        int nextShared = 0;
        int l = 0;
        int r = 0;
        while (l < left.size() || r < right.size()) {
            if (l < left.size()) {
                String element = left.get(l);
                if (!rightItems.containsKey(element)) {
                    result.add(live.path(l).deepCopy());
                    l++;
                    continue;
                }
                boolean next =
                        nextShared < shared.size() && shared.get(nextShared).equals(element);
                if (done.contains(element) || (r < right.size() && !next)) {
                    l++;
                    continue;
                }
            }
            if (r >= right.size()) break;
            String element = right.get(r++);
            done.add(element);
            JsonNode before = leftItems.get(element);
            JsonNode over = rightItems.getOrDefault(element, JsonNodeFactory.instance.nullNode());
            result.add(before == null ? over.deepCopy() : value(before, over, Shape.item(schema)));
            if (nextShared < shared.size() && shared.get(nextShared).equals(element)) nextShared++;
        }
        return result;
    }

    private static List<String> elements(ArrayNode list, Schema schema) {
        List<String> result = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            String element = Shape.element(list.path(i), schema);
            result.add(element == null ? "i:" + i : element);
        }
        return result;
    }

    private static Map<String, JsonNode> index(ArrayNode list, List<String> elements) {
        Map<String, JsonNode> result = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) result.putIfAbsent(elements.get(i), list.path(i));
        return result;
    }

    /** The object without the fields of the set; containers that lose all they had go, too. */
    static ObjectNode remove(ObjectNode object, FieldSet fields, @Nullable Schema schema) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> {
            String key = PathElement.field(field.getKey());
            if (fields.hasMember(key)) return;
            JsonNode value = field.getValue();
            FieldSet below = fields.below(key);
            JsonNode rest = below.isEmpty() ? value : removeIn(value, below, Shape.child(schema, field.getKey()));
            if (rest != null) result.set(field.getKey(), rest);
        });
        return result;
    }

    private static @Nullable JsonNode removeIn(JsonNode value, FieldSet fields, @Nullable Schema schema) {
        if (value instanceof ObjectNode object && Shape.isGranular(value, schema)) {
            ObjectNode rest = remove(object, fields, schema);
            return rest.isEmpty() ? null : rest;
        }
        if (schema == null || !Shape.isAssociative(value, schema)) return value;
        ArrayNode rest = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : value) {
            String element = Shape.element(item, schema);
            if (element == null) {
                rest.add(item);
            } else if (!fields.hasMember(element)) {
                FieldSet below = fields.below(element);
                JsonNode kept = below.isEmpty() ? item : removeIn(item, below, Shape.item(schema));
                if (kept != null) rest.add(kept);
            }
        }
        return rest.isEmpty() ? null : rest;
    }
}
