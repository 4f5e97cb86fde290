package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import org.jspecify.annotations.Nullable;

/** The fields that whoever applies an object lays claim to: what it says, not the containers on the way there. */
final class AppliedFields {
    private AppliedFields() {}

    static FieldSet of(ObjectNode object, Schema schema) {
        return new FieldSet(fields(object, schema));
    }

    private static ObjectNode fields(JsonNode object, @Nullable Schema schema) {
        ObjectNode result = FieldSet.node();
        for (var field : object.properties()) {
            String name = field.getKey();
            ObjectNode child = value(field.getValue(), Shape.child(schema, name), !Shape.declares(schema, name));
            if (child != null) result.set(PathElement.field(name), child);
        }
        return result;
    }

    /** @param claimed true when the value's own place is claimed with what is in it: keys of maps, items of lists */
    private static @Nullable ObjectNode value(JsonNode value, @Nullable Schema schema, boolean claimed) {
        ObjectNode children;
        if (Shape.isGranular(value, schema)) {
            if (value.isEmpty()) return FieldSet.node();
            children = fields(value, schema);
        } else if (schema != null && Shape.isAssociative(value, schema)) {
            children = items(value, schema);
        } else {
            return FieldSet.node();
        }
        if (children.isEmpty()) return claimed ? children : null;
        if (!claimed) return children;
        ObjectNode result = FieldSet.memberWithChildren();
        result.setAll(children);
        return result;
    }

    private static ObjectNode items(JsonNode list, Schema schema) {
        ObjectNode result = FieldSet.node();
        Schema item = Shape.item(schema);
        for (JsonNode each : list) {
            String element = Shape.element(each, schema);
            if (element == null) continue;
            ObjectNode child = result.has(element) ? FieldSet.node() : value(each, item, true);
            result.set(element, child);
        }
        return result;
    }
}
