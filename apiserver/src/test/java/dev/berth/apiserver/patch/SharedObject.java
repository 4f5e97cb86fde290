package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Plays the part of a server that holds one object and lets several managers write it. */
final class SharedObject {
    private final ResourceType type;
    private @Nullable ObjectNode stored;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    SharedObject(ResourceType type) {
        this.type = type;
    }

    SharedObject(ResourceType type, String stored) {
        this.type = type;
        this.stored = object(stored);
    }

    /** A create, then updates: the object as the client sends it. */
    SharedObject update(String manager, String subresource, String object) {
        ObjectNode next = object(object);
        if (stored != null && !next.path("metadata").has("managedFields")) {
            // As a client would that read the object before.
            JsonNode before = stored.path("metadata").path("managedFields");
            if (!before.isMissingNode()) next.withObjectProperty("metadata").set("managedFields", before.deepCopy());
        }
        new FieldManager(manager, type, subresource, now).recordUpdate(stored, next);
        return store(next);
    }

    SharedObject update(String manager, String object) {
        return update(manager, "", object);
    }

    SharedObject apply(String manager, String subresource, boolean force, String body) {
        ObjectNode applied = object(body);
        applied.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        return store(new FieldManager(manager, type, subresource, now).apply(stored, applied, force));
    }

    SharedObject apply(String manager, String body) {
        return apply(manager, "", false, body);
    }

    private SharedObject store(ObjectNode next) {
        stored = next;
        now = now.plusSeconds(1);
        return this;
    }

    ObjectNode stored() {
        return stored == null ? object("{}") : stored;
    }

    JsonNode managedFields() {
        return stored().path("metadata").path("managedFields");
    }

    /** The entries as {@code manager operation subresource second fields}, a line each. */
    String entries() {
        var text = new StringBuilder();
        for (JsonNode entry : managedFields()) {
            String time = entry.path("time").asText("");
            text.append(entry.path("manager").asText())
                    .append(' ')
                    .append(entry.path("operation").asText())
                    .append(
                            entry.has("subresource")
                                    ? "/" + entry.path("subresource").asText()
                                    : "")
                    .append(time.isEmpty() ? " -" : " " + time.substring(17, 19))
                    .append(' ')
                    .append(String.join(" ", new FieldSet((ObjectNode) entry.path("fieldsV1")).paths()))
                    .append('\n');
        }
        return text.toString();
    }

    /** The object without what the machinery adds. */
    ObjectNode content() {
        ObjectNode copy = stored().deepCopy();
        FieldManager.removeManagedFields(copy);
        copy.remove("apiVersion");
        copy.remove("kind");
        if (copy.path("metadata").isEmpty()) copy.remove("metadata");
        return copy;
    }
}
