package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JSON as CEL sees it: typed by its schema, with field names that CEL can spell. */
final class CelValues {
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private CelValues() {}

    static Object of(JsonNode schema, JsonNode value) {
        if (value.isObject()) return map(schema, value);
        if (value.isArray()) {
            List<Object> list = new ArrayList<>(value.size());
            value.forEach(item -> list.add(of(schema.path("items"), item)));
            return list;
        }
        if (value.isTextual()) return text(schema, value.textValue());
        if (value.isBoolean()) return value.booleanValue();
        if (value.isNumber()) {
            boolean number = schema.path("type").asText().equals("number");
            return value.isIntegralNumber() && !number ? (Object) value.longValue() : (Object) value.doubleValue();
        }
        return NullValue.NULL_VALUE;
    }

    private static Object text(JsonNode schema, String text) {
        if (schema.path("format").asText().equals("date-time")) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException _) {
                return text;
            }
        }
        return text;
    }

    private static Map<String, Object> map(JsonNode schema, JsonNode object) {
        Map<String, Object> map = new LinkedHashMap<>();
        JsonNode properties = schema.path("properties");
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode child = properties.path(field.getKey());
            if (child.isMissingNode()) {
                map.put(field.getKey(), of(schema.path("additionalProperties"), field.getValue()));
            } else {
                map.put(escaped(field.getKey()), of(child, field.getValue()));
            }
        }
        return map;
    }

    static String escaped(String name) {
        if (RESERVED.contains(name)) return "__" + name + "__";
        return name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }
}
