package dev.berth.claims.cel;

import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;

/** The constraints that a class or a claim of a file holds, wherever they stand in it. */
public final class Constraints {
    private Constraints() {}

    /** @throws ManifestException with the field and its line, for constraints that cannot be used */
    public static void check(Manifest manifest) {
        check(manifest.fields().require("spec"));
    }

    private static void check(Field field) {
        if (field.isList()) {
            field.items().forEach(Constraints::check);
        } else if (field.isObject()) {
            field.entries().forEach(Constraints::check);
        }
    }

    private static void check(String name, Field field) {
        switch (name) {
            case "constraints" -> compile(field);
            case "requests" -> {} // its names are those of resources
            default -> check(field);
        }
    }

    private static void compile(Field field) {
        try {
            if (!field.value().asText().isEmpty()) {
                Expression.of(field.text());
            }
        } catch (InvalidExpressionException invalid) {
            throw field.problem(String.valueOf(invalid.getMessage()));
        }
    }
}
