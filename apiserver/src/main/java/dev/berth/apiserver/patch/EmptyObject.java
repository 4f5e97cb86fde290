package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What an object of a kind holds before anybody wrote anything. In Kubernetes that is an empty Go struct, in which
 * {@code spec} is already there; a creator therefore owns what is in the spec, but not the spec. Custom resources start
 * from nothing.
 */
final class EmptyObject {
    private static final Map<Schema, ObjectNode> KNOWN = new ConcurrentHashMap<>();
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private EmptyObject() {}

    /** Shared: not to be changed. */
    static ObjectNode of(ResourceType type) {
        return isCustom(type) ? NOTHING : KNOWN.computeIfAbsent(type.schema(), EmptyObject::of);
    }

    /** Kinds of Kubernetes itself are Go structs, and published with an empty one as the default of their metadata. */
    static boolean isCustom(ResourceType type) {
        return !type.schema().raw().path("properties").path("metadata").has("default");
    }

    /** A plain string, number or flag is published with its zero as the default. */
    private static boolean isZero(JsonNode start) {
        return (start.isTextual() && start.textValue().isEmpty())
                || (start.isNumber() && start.asDouble() == 0)
                || (start.isBoolean() && !start.booleanValue());
    }

    private static ObjectNode of(Schema schema) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        schema.properties().forEach((name, property) -> {
            JsonNode start = property.defaultValue().orElse(NullNode.instance);
            // A struct that is no pointer is published with the default {}.
            if (start.isObject() && start.isEmpty()) result.set(name, of(property));
            else if (schema.required().contains(name) || isZero(start)) result.set(name, start);
        });
        return result;
    }
}
