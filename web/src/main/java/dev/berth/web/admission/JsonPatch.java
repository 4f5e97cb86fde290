package dev.berth.web.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Builds a JSON Patch (RFC 6902) for one document, in the order in which the operations are asked for. Each is tried on
 * a copy at once, so that a patch that does not apply cannot be built: the API server answers such a patch with a 500
 * that no failurePolicy covers.
 */
public final class JsonPatch {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ObjectNode document;
    private final ArrayNode operations = JSON.arrayNode();

    private JsonPatch(ObjectNode document) {
        this.document = document;
    }

    public static JsonPatch of(ObjectNode document) {
        return new JsonPatch(document.deepCopy());
    }

    /** The same without a copy, for a document that nobody else looks at: the operations change it. */
    public static JsonPatch changing(ObjectNode document) {
        return new JsonPatch(document);
    }

    /** Adds or overwrites a member, or inserts into an array. Parents that are missing or null become objects first. */
    public JsonPatch add(JsonPointer pointer, JsonNode value) {
        addParents(pointer);
        switch (parentOf(pointer)) {
            case ObjectNode object -> object.set(pointer.last(), value.deepCopy());
            case ArrayNode array -> array.insert(indexIn(array, pointer, array.size()), value.deepCopy());
            default -> throw notThere(pointer, "add to");
        }
        return record("add", pointer, Optional.of(value));
    }

    public JsonPatch add(JsonPointer pointer, String value) {
        return add(pointer, JSON.textNode(value));
    }

    /** Adds to the end of an array, which is made if it is missing or null. */
    public JsonPatch append(JsonPointer array, JsonNode value) {
        return switch (find(array)) {
            case ArrayNode existing -> {
                existing.add(value.deepCopy());
                yield record("add", array.with("-"), Optional.of(value));
            }
            case JsonNode missing
            when missing.isMissingNode() || missing.isNull() ->
                add(array, JSON.arrayNode().add(value.deepCopy()));
            default -> throw new IllegalArgumentException(array + " is not an array");
        };
    }

    public JsonPatch replace(JsonPointer pointer, JsonNode value) {
        requireThere(pointer, "replace");
        switch (parentOf(pointer)) {
            case ObjectNode object -> object.set(pointer.last(), value.deepCopy());
            case ArrayNode array -> array.set(indexIn(array, pointer, array.size() - 1), value.deepCopy());
            default -> throw notThere(pointer, "replace");
        }
        return record("replace", pointer, Optional.of(value));
    }

    public JsonPatch replace(JsonPointer pointer, String value) {
        return replace(pointer, JSON.textNode(value));
    }

    public JsonPatch remove(JsonPointer pointer) {
        requireThere(pointer, "remove");
        switch (parentOf(pointer)) {
            case ObjectNode object -> object.remove(pointer.last());
            case ArrayNode array -> array.remove(indexIn(array, pointer, array.size() - 1));
            default -> throw notThere(pointer, "remove");
        }
        return record("remove", pointer, Optional.empty());
    }

    /** Does nothing where there is nothing. */
    public JsonPatch removeIfPresent(JsonPointer pointer) {
        return find(pointer).isMissingNode() ? this : remove(pointer);
    }

    /** Makes the whole patch fail if the value is not this one when it is applied. */
    public JsonPatch test(JsonPointer pointer, JsonNode value) {
        if (!find(pointer).equals(value)) {
            throw new IllegalArgumentException(pointer + " is not " + value);
        }
        return record("test", pointer, Optional.of(value));
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    public ArrayNode operations() {
        return operations.deepCopy();
    }

    /** The document with the patch applied. */
    public ObjectNode result() {
        return document.deepCopy();
    }

    private void addParents(JsonPointer pointer) {
        if (pointer.isRoot()) {
            throw new IllegalArgumentException("the document itself cannot be replaced");
        }
        var parent = pointer.parent();
        var existing = find(parent);
        if (existing.isMissingNode() || existing.isNull()) {
            add(parent, JSON.objectNode());
        }
    }

    private JsonPatch record(String operation, JsonPointer pointer, Optional<JsonNode> value) {
        var entry = operations.addObject().put("op", operation).put("path", pointer.toString());
        value.ifPresent(node -> entry.set("value", node.deepCopy()));
        return this;
    }

    private JsonNode parentOf(JsonPointer pointer) {
        return find(pointer.parent());
    }

    private JsonNode find(JsonPointer pointer) {
        JsonNode node = document;
        for (var step : pointer.steps()) {
            node = node instanceof ArrayNode array ? array.path(index(step)) : node.path(step);
        }
        return node;
    }

    private void requireThere(JsonPointer pointer, String verb) {
        if (pointer.isRoot() || find(pointer).isMissingNode()) {
            throw notThere(pointer, verb);
        }
    }

    private static int indexIn(ArrayNode array, JsonPointer pointer, int max) {
        int index = pointer.last().equals("-") ? array.size() : index(pointer.last());
        if (index < 0 || index > max) {
            throw new IllegalArgumentException(pointer + " is outside an array of " + array.size());
        }
        return index;
    }

    private static int index(String step) {
        return step.matches("0|[1-9]\\d{0,8}") ? Integer.parseInt(step) : -1;
    }

    private static IllegalArgumentException notThere(JsonPointer pointer, String verb) {
        return new IllegalArgumentException("there is nothing to " + verb + " at " + pointer);
    }
}
