package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Finds what keeps a custom kind's schema from being structural: every value has one known type. */
final class StructuralCheck {
    private static final Set<String> TYPES = Set.of("object", "array", "string", "integer", "number", "boolean");

    private StructuralCheck() {}

    static void run(JsonNode schema, String path, Errors errors) {
        children(schema, path, errors);
        String type = text(schema, "type");
        if (type.isEmpty()) errors.required(path + ".type", "must not be empty at the root");
        else if (!type.equals("object")) errors.invalid(path + ".type", type, "must be object at the root");
    }

    private static void value(JsonNode schema, String path, String what, Errors errors) {
        children(schema, path, errors);
        String type = text(schema, "type");
        boolean free =
                flag(schema, "x-kubernetes-int-or-string") || flag(schema, "x-kubernetes-preserve-unknown-fields");
        if (type.isEmpty() && !free) errors.required(path + ".type", "must not be empty for specified " + what);
        if (!type.isEmpty() && !TYPES.contains(type))
            errors.notSupported(
                    path + ".type", type, List.of("array", "boolean", "integer", "number", "object", "string"));
    }

    private static void children(JsonNode schema, String path, Errors errors) {
        for (var entry : at(schema, "properties").properties())
            value(entry.getValue(), path + ".properties[" + entry.getKey() + "]", "object fields", errors);
        JsonNode others = at(schema, "additionalProperties");
        if (others.isObject()) value(others, path + ".additionalProperties", "object fields", errors);
        JsonNode items = at(schema, "items");
        if (items.isObject()) value(items, path + ".items", "array items", errors);
        else if (text(schema, "type").equals("array") && items.isMissingNode())
            errors.required(path + ".items", "must be specified");
    }
}
