package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which fields differ between two versions of an object. */
final class Difference {
    private final boolean modified;

    private Difference(boolean modified) {
        this.modified = modified;
    }

    /** What {@code next} has that {@code live} has not, or has otherwise. */
    static FieldSet changed(ObjectNode live, ObjectNode next, Schema schema) {
        return of(new Difference(true).object(live, next, schema));
    }

    /** What {@code live} has that {@code next} has no more. */
    static FieldSet removed(ObjectNode live, ObjectNode next, Schema schema) {
        return of(new Difference(false).object(next, live, schema));
    }

    private static FieldSet of(@Nullable ObjectNode tree) {
        return tree == null ? FieldSet.empty() : new FieldSet(tree);
    }

    private @Nullable ObjectNode object(JsonNode base, JsonNode other, @Nullable Schema schema) {
        ObjectNode result = null;
        for (var field : other.properties()) {
            ObjectNode child = value(base.get(field.getKey()), field.getValue(), Shape.child(schema, field.getKey()));
            if (child == null) continue;
            if (result == null) result = FieldSet.node();
            result.set(PathElement.field(field.getKey()), child);
        }
        return result;
    }

    private @Nullable ObjectNode value(@Nullable JsonNode base, JsonNode other, @Nullable Schema schema) {
        if (other.isNull()) return null;
        if (base == null) return all(other, schema);
        if (Shape.isGranular(other, schema) && (base.isObject() || base.isNull())) {
            return other.isEmpty() ? emptied(base) : object(base, other, schema);
        }
        if (schema != null && Shape.isAssociative(other, schema) && (base.isArray() || base.isNull())) {
            return other.isEmpty() ? emptied(base) : items(base, other, schema);
        }
        if (modified) return Scalars.same(base, other) ? null : FieldSet.leaf();
        // An object became a scalar: the scalar is the modification, but what the object held is gone.
        return base.isContainerNode() || !other.isContainerNode() || base.isNull() ? null : children(other, schema);
    }

    private @Nullable ObjectNode emptied(JsonNode base) {
        return modified && base.isNull() ? FieldSet.node() : null;
    }

    private static @Nullable ObjectNode children(JsonNode value, @Nullable Schema schema) {
        ObjectNode all = all(value, schema);
        if (all.isEmpty()) return null;
        all.remove(".");
        return all.isEmpty() ? null : all;
    }

    /** The value and all that is in it, for a place where nothing was. */
    private static ObjectNode all(JsonNode value, @Nullable Schema schema) {
        if (value.isEmpty()) return FieldSet.leaf();
        if (Shape.isGranular(value, schema)) {
            ObjectNode result = FieldSet.memberWithChildren();
            for (var field : value.properties()) {
                result.set(
                        PathElement.field(field.getKey()), all(field.getValue(), Shape.child(schema, field.getKey())));
            }
            return result.size() == 1 ? FieldSet.leaf() : result;
        }
        if (schema != null && Shape.isAssociative(value, schema)) {
            ObjectNode result = FieldSet.memberWithChildren();
            Schema item = Shape.item(schema);
            for (JsonNode each : value) {
                String element = Shape.element(each, schema);
                if (element == null) continue;
                // Two items of one key are owned as one.
                result.set(element, result.has(element) ? FieldSet.leaf() : all(each, item));
            }
            return result.size() == 1 ? FieldSet.leaf() : result;
        }
        return FieldSet.leaf();
    }

    private @Nullable ObjectNode items(JsonNode base, JsonNode other, Schema schema) {
        if (base.isEmpty()) return children(other, schema);
        // Most lists of most writes are as they were; telling their items apart is what costs.
        if (Scalars.same(base, other)) return null;
        Map<String, List<JsonNode>> bases = byElement(base, schema);
        Schema item = Shape.item(schema);
        ObjectNode result = FieldSet.node();
        byElement(other, schema).forEach((element, others) -> {
            List<JsonNode> before = bases.getOrDefault(element, List.of());
            ObjectNode child = before.size() < 2 && others.size() < 2
                    ? value(before.isEmpty() ? null : before.getFirst(), others.getFirst(), item)
                    : duplicates(before, others, item);
            if (child != null) result.set(element, child);
        });
        return result.isEmpty() ? null : result;
    }

    private @Nullable ObjectNode duplicates(List<JsonNode> base, List<JsonNode> others, @Nullable Schema item) {
        if (others.size() < 2) return modified ? all(others.getFirst(), item) : children(others.getFirst(), item);
        if (base.size() < 2) return FieldSet.node();
        return modified && !base.equals(others) ? FieldSet.node() : null;
    }

    private static Map<String, List<JsonNode>> byElement(JsonNode list, Schema schema) {
        Map<String, List<JsonNode>> result = new LinkedHashMap<>();
        for (JsonNode item : list) {
            String element = Shape.element(item, schema);
            if (element != null)
                result.computeIfAbsent(element, _ -> new ArrayList<>(1)).add(item);
        }
        return result;
    }
}
