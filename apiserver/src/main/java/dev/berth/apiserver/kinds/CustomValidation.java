package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether custom objects are what their definition's schema asks for; types of other kinds pass. */
public final class CustomValidation {
    /** After one of these the CEL rules are not tried: they may rely on what is missing. */
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueTypeInvalid",
            "FieldValueRequired",
            "FieldValueNotSupported",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueDuplicate");

    private static final FieldError NOT_CHECKED = new FieldError(
            "FieldValueInvalid",
            "<nil>",
            "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation");

    private final LiveCatalog catalog;

    public CustomValidation(LiveCatalog catalog) {
        this.catalog = catalog;
    }

    /** @param old the stored object of an update, for rules that compare with it */
    public List<FieldError> validate(ResourceType type, ObjectNode object, @Nullable ObjectNode old) {
        var custom = catalog.custom(type);
        if (custom == null) return List.of();
        List<FieldError> errors = new ArrayList<>();
        String kind = object.path("kind").asText();
        if (!kind.equals(type.kind())) {
            errors.add(FieldError.invalid("kind", "\"" + kind + "\"", "must be " + type.kind()));
            return errors;
        }
        JsonNode schema = custom.published();
        new SchemaWalk(errors).check(schema, object, "");
        ListKeys.check(schema, object, "", errors);
        if (!custom.hasRules()) return errors;
        if (errors.stream().anyMatch(error -> BLOCKING.contains(error.reason()))) {
            errors.add(NOT_CHECKED);
        } else {
            CelRules.check(schema, object, old, "", errors);
        }
        return errors;
    }
}
