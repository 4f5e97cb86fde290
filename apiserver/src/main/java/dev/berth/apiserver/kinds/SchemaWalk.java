package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.status.FieldError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Checks a value against an OpenAPI schema, in the words of the validator that kube-apiserver uses. */
final class SchemaWalk {
    private static final int REMEMBERED = 1_000;
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    private final List<FieldError> errors;

    SchemaWalk(List<FieldError> errors) {
        this.errors = errors;
    }

    void check(JsonNode schema, JsonNode value, String path) {
        // Nulls that may not be are dropped, not refused; a required one counts as missing.
        if (value.isNull() || schema.has("$ref") || path.equals("metadata")) return;
        checkType(schema, value, path);
        checkEnum(schema, value, path);
        if (value.isTextual()) checkText(schema, value.textValue(), path);
        if (value.isNumber()) checkNumber(schema, value, path);
        if (value.isArray()) checkArray(schema, value, path);
        if (value.isObject()) checkObject(schema, value, path);
        checkCombinations(schema, value, path);
    }

    private void checkType(JsonNode schema, JsonNode value, String path) {
        boolean intOrString = schema.path("x-kubernetes-int-or-string").asBoolean();
        String wanted = intOrString ? "integer,string" : schema.path("type").asText();
        if (wanted.isEmpty()) return;
        String found = typeOf(value);
        boolean right = intOrString
                ? found.equals("integer") || found.equals("string")
                : found.equals(wanted) || (wanted.equals("number") && found.equals("integer"));
        if (!right) {
            add(
                    "FieldValueTypeInvalid",
                    path,
                    "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                            .formatted(found, path, wanted, found));
            if (found.equals("number") && wanted.equals("integer")) {
                add(
                        "FieldValueInvalid",
                        "<nil>",
                        "Invalid value: \"\": Checked value must be of type integer (default format) in " + path);
            }
        } else if (wanted.equals("integer")
                && schema.path("format").asText().equals("int32")
                && !value.canConvertToInt()) {
            add(
                    "FieldValueInvalid",
                    "<nil>",
                    "Invalid value: \"\": Checked value must be of type integer with format int32 in " + path);
        }
    }

    private static String typeOf(JsonNode value) {
        if (value.isObject()) return "object";
        if (value.isArray()) return "array";
        if (value.isTextual()) return "string";
        if (value.isBoolean()) return "boolean";
        return value.isIntegralNumber() || isWhole(value) ? "integer" : "number";
    }

    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    private void checkEnum(JsonNode schema, JsonNode value, String path) {
        JsonNode allowed = schema.path("enum");
        if (!allowed.isArray()) return;
        List<String> supported = new ArrayList<>();
        for (JsonNode each : allowed) {
            if (each.equals(value)) return;
            supported.add(each.toString());
        }
        add(
                "FieldValueNotSupported",
                path,
                "Unsupported value: %s: supported values: %s".formatted(value, String.join(", ", supported)));
    }

    private void checkText(JsonNode schema, String text, String path) {
        String quoted = TextNode.valueOf(text).toString();
        int length = text.codePointCount(0, text.length());
        JsonNode longest = schema.path("maxLength");
        if (longest.isNumber() && length > longest.asLong()) {
            add("FieldValueTooLong", path, "Too long: may not be more than %d bytes".formatted(longest.asLong()));
        } else if (length < schema.path("minLength").asLong()) {
            invalid(
                    path,
                    quoted,
                    "should be at least %d chars long"
                            .formatted(schema.path("minLength").asLong()));
        } else if (schema.has("pattern") && !matches(schema.path("pattern").asText(), text)) {
            invalid(
                    path,
                    quoted,
                    "should match '%s'".formatted(schema.path("pattern").asText()));
        }
        String format = schema.path("format").asText();
        if (!format.isEmpty() && !Formats.matches(format, text)) {
            add(
                    "FieldValueTypeInvalid",
                    path,
                    "Invalid value: %s: %s in body must be of type %s: %s".formatted(quoted, path, format, quoted));
        }
    }

    private static boolean matches(String pattern, String text) {
        try {
            if (PATTERNS.size() > REMEMBERED) PATTERNS.clear();
            return PATTERNS.computeIfAbsent(pattern, Pattern::compile)
                    .matcher(text)
                    .find();
        } catch (PatternSyntaxException _) {
            // Go's dialect is a little wider than Java's; what Java cannot read it does not hold against the object.
            return true;
        }
    }

    private void checkNumber(JsonNode schema, JsonNode value, String path) {
        BigDecimal number = value.decimalValue();
        if (schema.path("multipleOf").isNumber()) {
            BigDecimal factor = schema.path("multipleOf").decimalValue();
            if (factor.signum() > 0 && number.remainder(factor).signum() != 0) {
                invalid(path, value.toString(), "should be a multiple of " + schema.path("multipleOf"));
            }
        }
        if (schema.path("maximum").isNumber()) {
            boolean exclusive = schema.path("exclusiveMaximum").asBoolean();
            int order = number.compareTo(schema.path("maximum").decimalValue());
            if (order > 0 || (exclusive && order == 0)) {
                invalid(
                        path,
                        value.toString(),
                        "should be less than " + (exclusive ? "" : "or equal to ") + schema.path("maximum"));
            }
        }
        if (schema.path("minimum").isNumber()) {
            boolean exclusive = schema.path("exclusiveMinimum").asBoolean();
            int order = number.compareTo(schema.path("minimum").decimalValue());
            if (order < 0 || (exclusive && order == 0)) {
                invalid(
                        path,
                        value.toString(),
                        "should be greater than " + (exclusive ? "" : "or equal to ") + schema.path("minimum"));
            }
        }
    }

    private void checkArray(JsonNode schema, JsonNode array, String path) {
        checkMost(schema.path("maxItems"), array.size(), path);
        if (array.size() < schema.path("minItems").asInt()) {
            invalid(
                    path,
                    Integer.toString(array.size()),
                    "should have at least %d items"
                            .formatted(schema.path("minItems").asInt()));
        }
        JsonNode items = schema.path("items");
        if (!items.isObject()) return;
        for (int i = 0; i < array.size(); i++) check(items, array.get(i), path + "[" + i + "]");
    }

    private void checkMost(JsonNode most, int size, String path) {
        if (most.isNumber() && size > most.asInt()) {
            add("FieldValueTooMany", path, "Too many: %d: must have at most %d items".formatted(size, most.asInt()));
        }
    }

    private void checkObject(JsonNode schema, JsonNode object, String path) {
        checkMost(schema.path("maxProperties"), object.size(), path);
        if (object.size() < schema.path("minProperties").asInt()) {
            invalid(
                    path,
                    Integer.toString(object.size()),
                    "should have at least %d properties"
                            .formatted(schema.path("minProperties").asInt()));
        }
        for (JsonNode required : schema.path("required")) checkPresent(object, required.asText(), path);
        if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            checkPresent(object, "apiVersion", path);
            checkPresent(object, "kind", path);
        }
        JsonNode properties = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode child = properties.path(field.getKey());
            if (child.isMissingNode()) child = others;
            if (child.isObject()) check(child, field.getValue(), join(path, field.getKey()));
        }
    }

    private void checkPresent(JsonNode object, String field, String path) {
        if (!object.hasNonNull(field)) errors.add(FieldError.required(join(path, field), ""));
    }

    private void checkCombinations(JsonNode schema, JsonNode value, String path) {
        JsonNode one = schema.path("oneOf");
        if (one.isArray()) {
            int valid = countValid(one, value, path);
            if (valid != 1) {
                unmatched(
                        path,
                        "must validate one and only one schema (oneOf). Found %s"
                                .formatted(valid == 0 ? "none valid" : valid + " valid alternatives"));
                if (valid == 0) check(one.get(0), value, path);
            }
        }
        JsonNode any = schema.path("anyOf");
        if (any.isArray()
                && !schema.path("x-kubernetes-int-or-string").asBoolean()
                && countValid(any, value, path) == 0) {
            unmatched(path, "must validate at least one schema (anyOf)");
            check(any.get(0), value, path);
        }
        JsonNode all = schema.path("allOf");
        if (all.isArray()
                && !schema.path("x-kubernetes-int-or-string").asBoolean()
                && countValid(all, value, path) < all.size()) {
            unmatched(path, "must validate all the schemas (allOf)");
            all.forEach(each -> check(each, value, path));
        }
        JsonNode not = schema.path("not");
        if (not.isObject() && isValid(not, value, path)) unmatched(path, "must not validate the schema (not)");
    }

    private static int countValid(JsonNode alternatives, JsonNode value, String path) {
        int valid = 0;
        for (JsonNode alternative : alternatives) {
            if (isValid(alternative, value, path)) valid++;
        }
        return valid;
    }

    private static boolean isValid(JsonNode schema, JsonNode value, String path) {
        List<FieldError> found = new ArrayList<>();
        new SchemaWalk(found).check(schema, value, path);
        return found.isEmpty();
    }

    private void unmatched(String path, String why) {
        add("FieldValueInvalid", "<nil>", "Invalid value: \"\": \"%s\" %s".formatted(path, why));
    }

    private void invalid(String path, String value, String why) {
        errors.add(FieldError.invalid(path, value, path + " in body " + why));
    }

    private void add(String reason, String path, String message) {
        errors.add(new FieldError(reason, path, message));
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
