package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes itself knows of one kind. Every method works on the tree in place and may be a no-op. */
public interface KindRules {
    /** Fills in what the client left out; called on every decoded body of this kind, also on the result of a patch. */
    default void applyDefaults(ObjectNode object) {}

    /**
     * Drops what a creator may not set, such as {@code status}, and sets what the server sets, such as
     * {@code generation}.
     */
    default void prepareForCreate(ObjectNode object) {}

    /**
     * Keeps what an update of the main resource may not change, such as {@code status}; bumps {@code generation} on a
     * changed spec.
     */
    default void prepareForUpdate(ObjectNode next, ObjectNode old) {}

    /** Keeps what an update of {@code /status} may not change, such as {@code spec}. */
    default void prepareForStatusUpdate(ObjectNode next, ObjectNode old) {}

    default List<FieldError> validate(ObjectNode object) {
        return List.of();
    }

    default List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return List.of();
    }

    default List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        return List.of();
    }
}
