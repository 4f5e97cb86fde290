package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.status.FieldError;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with one object, collected in the order in which Kubernetes looks. */
final class Errors {
    private final List<FieldError> found = new ArrayList<>(0);

    List<FieldError> list() {
        return found;
    }

    boolean none() {
        return found.isEmpty();
    }

    void add(FieldError error) {
        found.add(error);
    }

    void addAll(List<FieldError> errors) {
        found.addAll(errors);
    }

    void required(String field, String detail) {
        found.add(FieldError.required(field, detail));
    }

    void forbidden(String field, String detail) {
        found.add(FieldError.forbidden(field, detail));
    }

    void invalid(String field, String value, String detail) {
        found.add(FieldError.invalid(field, quoted(value), detail));
    }

    void invalid(String field, long value, String detail) {
        found.add(FieldError.invalid(field, Long.toString(value), detail));
    }

    void invalid(String field, JsonNode value, String detail) {
        found.add(FieldError.invalid(field, written(value), detail));
    }

    void invalid(String field, String value, List<String> details) {
        for (String detail : details) invalid(field, value, detail);
    }

    void duplicate(String field, String value) {
        found.add(FieldError.duplicate(field, quoted(value)));
    }

    void notSupported(String field, String value, List<String> supported) {
        found.add(FieldError.notSupported(field, value, supported));
    }

    void notFound(String field, String value) {
        found.add(new FieldError("FieldValueNotFound", field, "Not found: " + quoted(value)));
    }

    void tooLong(String field, int bytes) {
        found.add(new FieldError("FieldValueTooLong", field, "Too long: may not be more than " + bytes + " bytes"));
    }

    void tooMany(String field, int count, int most) {
        found.add(new FieldError(
                "FieldValueTooMany",
                field,
                "Too many: %d: must have at most %d %s".formatted(count, most, most == 1 ? "item" : "items")));
    }

    /** A string in Go's quotes. */
    static String quoted(String value) {
        return TextNode.valueOf(value).toString();
    }

    private static String written(JsonNode value) {
        return value.isMissingNode() ? "null" : value.toString();
    }
}
