package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Short words for reading and filling a JSON tree, where absent, null and zero are one as in Go. */
final class Tree {
    private static final ArrayNode NONE = JsonNodeFactory.instance.arrayNode(0);

    private Tree() {}

    /** The child, or a missing node that answers every further question with nothing. */
    static JsonNode at(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child == null || child.isNull() ? MissingNode.getInstance() : child;
    }

    static boolean has(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child != null && !child.isNull();
    }

    static String text(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child != null && child.isTextual() ? child.textValue() : "";
    }

    static long number(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child == null ? 0 : child.asLong();
    }

    static boolean flag(JsonNode node, String name) {
        JsonNode child = node.get(name);
        return child != null && child.asBoolean();
    }

    static ArrayNode items(JsonNode node, String name) {
        return node.get(name) instanceof ArrayNode items ? items : NONE;
    }

    static ObjectNode objectAt(ObjectNode node, String name) {
        return node.get(name) instanceof ObjectNode child ? child : node.putObject(name);
    }

    static ArrayNode itemsAt(ObjectNode node, String name) {
        return node.get(name) instanceof ArrayNode child ? child : node.putArray(name);
    }

    static void defaultText(ObjectNode node, String name, String value) {
        if (text(node, name).isEmpty()) node.put(name, value);
    }

    /** For numbers of which Go does not know whether they were given. */
    static void defaultNumber(ObjectNode node, String name, int value) {
        if (number(node, name) == 0) node.put(name, value);
    }

    /** For numbers that may be given as zero. */
    static void absentNumber(ObjectNode node, String name, int value) {
        if (!has(node, name)) node.put(name, value);
    }

    static void absentText(ObjectNode node, String name, String value) {
        if (!has(node, name)) node.put(name, value);
    }

    static void absentFlag(ObjectNode node, String name, boolean value) {
        if (!has(node, name)) node.put(name, value);
    }

    static void absentObject(ObjectNode node, String name) {
        if (!has(node, name)) node.putObject(name);
    }
}
