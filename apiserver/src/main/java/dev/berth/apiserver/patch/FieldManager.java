package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who writes: the name that goes into {@code metadata.managedFields}.
 *
 * @param subresource empty for the object itself
 */
public record FieldManager(String name, ResourceType type, String subresource, Instant now) {

    /**
     * Records in {@code next.metadata.managedFields} what this manager changed from {@code live} by an ordinary write.
     */
    public void recordUpdate(@Nullable ObjectNode live, ObjectNode next) {}

    /**
     * Server-side apply.
     *
     * @throws dev.berth.apiserver.status.ApiException 409 when another manager owns a field with another value and
     *     {@code force} is false
     */
    public ObjectNode apply(@Nullable ObjectNode live, ObjectNode applied, boolean force) {
        return applied;
    }
}
