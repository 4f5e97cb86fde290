package dev.berth.apiserver.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One field that a write got wrong.
 *
 * @param reason the cause's machine word, such as {@code FieldValueRequired}
 * @param field the path, such as {@code spec.containers[0].name}
 * @param message the cause's text without the path, such as {@code Required value}
 */
public record FieldError(String reason, String field, String message) {

    public static FieldError required(String field, String detail) {
        return new FieldError(
                "FieldValueRequired", field, detail.isEmpty() ? "Required value" : "Required value: " + detail);
    }

    /** @param value the value as Go prints it: strings in quotes, numbers bare, objects as JSON */
    public static FieldError invalid(String field, String value, String detail) {
        return new FieldError("FieldValueInvalid", field, "Invalid value: %s: %s".formatted(value, detail));
    }

    public static FieldError notSupported(String field, String value, List<String> supported) {
        Set<String> quoted = new LinkedHashSet<>();
        supported.forEach(each -> quoted.add('"' + each + '"'));
        return new FieldError(
                "FieldValueNotSupported",
                field,
                "Unsupported value: \"%s\": supported values: %s".formatted(value, String.join(", ", quoted)));
    }

    public static FieldError duplicate(String field, String value) {
        return new FieldError("FieldValueDuplicate", field, "Duplicate value: " + value);
    }

    public static FieldError forbidden(String field, String detail) {
        return new FieldError("FieldValueForbidden", field, "Forbidden: " + detail);
    }

    ObjectNode toCause() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("reason", reason)
                .put("message", message)
                .put("field", field);
    }

    /** The errors as the Status message joins them: one bare, several in brackets. */
    static String sentence(List<FieldError> errors) {
        Set<String> parts = new LinkedHashSet<>();
        errors.forEach(error -> parts.add(error.field + ": " + error.message));
        return parts.size() == 1 ? parts.iterator().next() : "[" + String.join(", ", parts) + "]";
    }
}
