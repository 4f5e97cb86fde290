package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a value of a built-in kind is what its schema says: every field known, every type right. On the path of every
 * write, so it answers yes or no; what is wrong is found out by {@link BodyReader} when somebody needs to know.
 */
final class FieldCheck {
    static final String QUANTITY = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
    private static final String SUFFIX = "eEinumkKMGTP";

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
        return schema.format().equals("int32") ? value.canConvertToInt() : value.canConvertToLong();
    }

    static boolean isQuantity(Schema schema) {
        return schema.format().isEmpty();
    }

    private static boolean quantityPasses(JsonNode value) {
        return value.isNumber() || (value.isTextual() && isQuantity(value.textValue()));
    }

    /** Whether the text matches {@link #QUANTITY}; by hand, because every pod has several. */
    static boolean isQuantity(String text) {
        int end = text.length();
        int at = 0;
        if (at < end && isSign(text.charAt(at))) at++;
        int number = at;
        while (at < end && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) at++;
        if (at == number) return false;
        while (at < end && SUFFIX.indexOf(text.charAt(at)) >= 0) at++;
        if (at < end && isSign(text.charAt(at))) at++;
        while (at < end && isDigit(text.charAt(at))) at++;
        return at == end;
    }

    private static boolean isSign(char c) {
        return c == '+' || c == '-';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean formatPasses(Schema schema, String text) {
        return switch (schema.format()) {
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
