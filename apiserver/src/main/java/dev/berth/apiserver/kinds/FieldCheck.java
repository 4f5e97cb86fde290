package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a value of a built-in kind is what its schema says: every field known, every type right. On the path of every
 * write, so it answers yes or no; what is wrong is found out by {@link BodyReader} when somebody needs to know.
 */
final class FieldCheck {
    static final String QUANTITY = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
    private static final Pattern QUANTITY_PATTERN = Pattern.compile(QUANTITY);

    private FieldCheck() {}

    static boolean passes(Schema schema, JsonNode value) {
        if (value.isNull()) return true;
        Schema.Type type = schema.type();
        return switch (type) {
            case OBJECT -> value.isObject() && fieldsPass(schema, value);
            case ARRAY -> value.isArray() && itemsPass(schema, value);
            default -> scalarPasses(type, schema, value);
        };
    }

    private static boolean fieldsPass(Schema schema, JsonNode object) {
        if (object.isEmpty()) return true;
        Map<String, Schema> known = schema.properties();
        @Nullable Schema others = schema.additionalProperties().orElse(null);
        boolean open = schema.preservesUnknownFields();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Schema of = known.get(field.getKey());
            if (of == null) of = others;
            if (of == null) {
                if (!open) return false;
            } else if (!passes(of, field.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean itemsPass(Schema schema, JsonNode array) {
        @Nullable Schema items = schema.items().orElse(null);
        if (items == null) return true;
        for (int i = 0; i < array.size(); i++) {
            if (!passes(items, array.get(i))) return false;
        }
        return true;
    }

    static boolean scalarPasses(Schema.Type type, Schema schema, JsonNode value) {
        return switch (type) {
            case STRING -> value.isTextual() && formatPasses(schema, value.textValue());
            case INTEGER -> value.isIntegralNumber() && inRange(schema, value);
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case INT_OR_STRING -> isQuantity(schema) ? quantityPasses(value) : value.isInt() || value.isTextual();
            case ANY -> true;
            case OBJECT, ARRAY -> false;
        };
    }

    private static boolean inRange(Schema schema, JsonNode value) {
        return schema.raw().path("format").asText().equals("int32")
                ? value.canConvertToInt()
                : value.canConvertToLong();
    }

    static boolean isQuantity(Schema schema) {
        return !schema.raw().has("format");
    }

    private static boolean quantityPasses(JsonNode value) {
        return value.isNumber()
                || (value.isTextual()
                        && QUANTITY_PATTERN.matcher(value.textValue()).matches());
    }

    private static boolean formatPasses(Schema schema, String text) {
        JsonNode format = schema.raw().get("format");
        if (format == null) return true;
        return switch (format.asText()) {
            case "date-time" -> isTime(text);
            case "byte" -> illegalBase64(text) < 0;
            default -> true;
        };
    }

    static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** The index of the first byte that does not belong into standard base64 with padding, or -1. */
    static int illegalBase64(String text) {
        int padding = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '=') {
                padding++;
                if (padding > 2) return i;
            } else if (padding > 0 || !isBase64(c)) {
                return i;
            }
        }
        return text.length() % 4 == 0 ? -1 : text.length();
    }

    private static boolean isBase64(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
