package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;

/**
 * Brings a tree into the form that it has after a trip through Kubernetes' Go types: empty fields dropped, fields that
 * Go always writes added, quantities and times in their canonical spelling. A value of the wrong type is refused with
 * the words of Go's decoder. Fields that Go does not know stay.
 */
final class GoForm {
    private static final TextNode EMPTY_TEXT = TextNode.valueOf("");
    private static final TextNode ZERO_AMOUNT = TextNode.valueOf("0");
    private static final IntNode ZERO = IntNode.valueOf(0);

    private GoForm() {}

    /** @throws Mismatch when a value cannot be of its field's type */
    static void bring(ObjectNode object, Shape.Struct shape) {
        for (Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator(); entries.hasNext(); ) {
            var entry = entries.next();
            Shape.Field field = shape.field(entry.getKey());
            if (field == null) continue;
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                entries.remove();
                continue;
            }
            try {
                JsonNode converted = converted(value, field.shape());
                if (field.empty() != Shape.Empty.WRITTEN && isEmpty(converted, field.shape())) entries.remove();
                else entry.setValue(converted);
            } catch (Mismatch mismatch) {
                throw mismatch.inside(field.name(), shape.simpleName());
            }
        }
        for (Shape.Field field : shape.alwaysWritten()) {
            JsonNode value = object.get(field.name());
            // Lists travel through protobuf, which does not tell an empty one from none.
            if (value == null || (value.isArray() && value.isEmpty())) object.set(field.name(), zero(field.shape()));
        }
    }

    private static JsonNode converted(JsonNode value, Shape shape) {
        return switch (shape) {
            case Shape.Text _ -> value.isTextual() ? value : refuse(value, shape);
            case Shape.Numeric(String goType) -> Numbers.fits(value, goType) ? value : refuse(value, shape);
            case Shape.Flag _ -> value.isBoolean() ? value : refuse(value, shape);
            case Shape.Bytes _ -> value.isTextual() ? bytes(value) : refuse(value, shape);
            case Shape.Amount _ -> TextNode.valueOf(amount(value).toString());
            case Shape.Amounts _ -> amounts(value, shape);
            case Shape.Time(String _, boolean micro) ->
                value.isTextual() ? Times.converted(value, micro) : refuse(value, shape);
            case Shape.IntOrString _ ->
                value.isTextual() || Numbers.fits(value, "int32") ? value : refuse(value, shape);
            case Shape.Any _ -> value;
            case Shape.Pointer(Shape to) -> converted(value, to);
            case Shape.Items(Shape of) -> items(value, of, shape);
            case Shape.Entries(String _, Shape of) -> entries(value, of, shape);
            case Shape.Struct struct -> struct(value, struct);
        };
    }

    private static JsonNode struct(JsonNode value, Shape.Struct shape) {
        if (!(value instanceof ObjectNode object)) return refuse(value, shape);
        bring(object, shape);
        return object;
    }

    private static JsonNode items(JsonNode value, Shape of, Shape shape) {
        if (!(value instanceof ArrayNode items)) return refuse(value, shape);
        for (int i = 0; i < items.size(); i++) {
            JsonNode item = items.get(i);
            items.set(i, item.isNull() ? zero(of) : converted(item, of));
        }
        return items;
    }

    private static JsonNode entries(JsonNode value, Shape of, Shape shape) {
        if (!(value instanceof ObjectNode object)) return refuse(value, shape);
        for (var entry : object.properties()) {
            JsonNode item = entry.getValue();
            entry.setValue(item.isNull() ? zero(of) : converted(item, of));
        }
        return object;
    }

    private static JsonNode amounts(JsonNode value, Shape shape) {
        if (!(value instanceof ObjectNode object)) return refuse(value, shape);
        for (var entry : object.properties()) {
            JsonNode item = entry.getValue();
            String text = item.isNull() ? "0" : amount(item).roundedUpToMilli().toString();
            if (!item.isTextual() || !text.equals(item.textValue())) entry.setValue(TextNode.valueOf(text));
        }
        return object;
    }

    private static Quantity amount(JsonNode value) {
        try {
            return Quantity.parse(value.isTextual() ? value.textValue().strip() : value.toString());
        } catch (Quantity.Malformed malformed) {
            throw new Mismatch(String.valueOf(malformed.getMessage()));
        }
    }

    private static JsonNode bytes(JsonNode value) {
        // Go ignores line ends within base64.
        String text = value.textValue();
        String joined = text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace("\n", "").replace("\r", "");
        int wrong = firstNonBase64(joined);
        if (wrong >= 0) throw new Mismatch("illegal base64 data at input byte " + wrong);
        return joined.equals(text) ? value : TextNode.valueOf(joined);
    }

    private static int firstNonBase64(String text) {
        int end = text.length();
        int unpadded = end;
        while (unpadded > 0 && end - unpadded < 2 && text.charAt(unpadded - 1) == '=') unpadded--;
        for (int i = 0; i < unpadded; i++) {
            char c = text.charAt(i);
            boolean known =
                    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
            if (!known) return i;
        }
        if (end % 4 == 0) return -1;
        return end == unpadded ? end / 4 * 4 : end;
    }

    static byte[] decodedBytes(String text) {
        return Base64.getDecoder().decode(text);
    }

    private static boolean isEmpty(JsonNode value, Shape shape) {
        return switch (shape) {
            case Shape.Text _, Shape.Bytes _ -> value.textValue().isEmpty();
            case Shape.Numeric _ -> value.decimalValue().signum() == 0;
            case Shape.Flag _ -> !value.booleanValue();
            case Shape.Items _, Shape.Entries _, Shape.Amounts _ -> value.isEmpty();
            case Shape.Pointer _, Shape.Struct _, Shape.Amount _, Shape.Time _, Shape.IntOrString _, Shape.Any _ ->
                false;
        };
    }

    private static JsonNode zero(Shape shape) {
        return switch (shape) {
            case Shape.Text _ -> EMPTY_TEXT;
            case Shape.Numeric _, Shape.IntOrString _ -> ZERO;
            case Shape.Flag _ -> JsonNodeFactory.instance.booleanNode(false);
            case Shape.Amount _ -> ZERO_AMOUNT;
            case Shape.Struct struct -> zero(struct);
            case Shape.Bytes _,
                    Shape.Amounts _,
                    Shape.Time _,
                    Shape.Any _,
                    Shape.Pointer _,
                    Shape.Items _,
                    Shape.Entries _ -> NullNode.getInstance();
        };
    }

    /** What Go writes for a struct that nobody filled in. */
    static ObjectNode zero(Shape.Struct struct) {
        ObjectNode empty = JsonNodeFactory.instance.objectNode();
        for (Shape.Field field : struct.alwaysWritten()) empty.set(field.name(), zero(field.shape()));
        return empty;
    }

    private static JsonNode refuse(JsonNode value, Shape shape) {
        String found = switch (value.getNodeType()) {
            case STRING -> "string";
            case NUMBER -> shape instanceof Shape.Numeric ? "number " + value : "number";
            case BOOLEAN -> "bool";
            case ARRAY -> "array";
            default -> "object";
        };
        throw new Mismatch(found, shape.goType());
    }

    /** A value that Go cannot decode; learns on its way up where it was found. */
    static final class Mismatch extends RuntimeException {
        private final String start;
        private final String goType;
        private String struct = "";
        private String path = "";

        Mismatch(String message) {
            super(message, null, false, false);
            this.start = message;
            this.goType = "";
        }

        Mismatch(String found, String goType) {
            super(found, null, false, false);
            this.start = "json: cannot unmarshal " + found + " into Go struct field ";
            this.goType = goType;
        }

        Mismatch inside(String field, String structName) {
            if (struct.isEmpty()) struct = structName;
            path = path.isEmpty() ? field : field + "." + path;
            return this;
        }

        String sentence() {
            return goType.isEmpty() ? start : start + struct + "." + path + " of type " + goType;
        }
    }
}
