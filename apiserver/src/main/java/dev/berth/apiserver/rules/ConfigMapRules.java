package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What Kubernetes knows of a ConfigMap. */
final class ConfigMapRules implements KindRules {
    static final int SIZE_LIMIT = 1024 * 1024;
    static final String FROZEN = "field is immutable when `immutable` is set";

    @Override
    public List<FieldError> validate(ObjectNode map) {
        var errors = new Errors();
        long size = 0;
        JsonNode binary = at(map, "binaryData");
        for (var entry : at(map, "data").properties()) {
            String key = entry.getKey();
            errors.invalid("data[" + key + "]", key, Names.configKey(key));
            if (has(binary, key)) errors.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            size += bytes(entry.getValue().asText());
        }
        for (var entry : binary.properties()) {
            errors.invalid("binaryData[" + entry.getKey() + "]", entry.getKey(), Names.configKey(entry.getKey()));
            size += decodedLength(entry.getValue().asText());
        }
        // The real server has no field for the whole.
        if (size > SIZE_LIMIT) errors.tooLong("[]", SIZE_LIMIT);
        return errors.list();
    }

    static long bytes(String text) {
        return text.length() * 3L <= SIZE_LIMIT ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    static long decodedLength(String base64) {
        int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
        return base64.length() / 4L * 3 - padding;
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        frozen(next, old, List.of("data", "binaryData"), errors);
        errors.addAll(validate(next));
        return errors.list();
    }

    static void frozen(ObjectNode next, ObjectNode old, List<String> fields, Errors errors) {
        if (!flag(old, "immutable")) return;
        if (!flag(next, "immutable")) errors.forbidden("immutable", FROZEN);
        for (String field : fields) if (!at(next, field).equals(at(old, field))) errors.forbidden(field, FROZEN);
    }
}
