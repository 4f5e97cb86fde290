package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.patch.JsonPatch.DoesNotApply;
import org.jspecify.annotations.Nullable;

/** Where a JSON Pointer leads: the container, and the key or index in it, which need not exist yet. */
record Place(JsonNode container, String key) {

    /** @param failure says what could not be done when a parent on the way does not exist */
    static Place find(JsonNode document, String pointer, String failure) {
        String[] parts = pointer.split("/", -1);
        if (parts.length < 2) throw JsonPatch.missing(failure);
        JsonNode container = document;
        for (int i = 1; i < parts.length - 1; i++) {
            Place step = new Place(container, unescape(parts[i]));
            JsonNode next = step.exists() ? step.get(failure) : null;
            if (next == null || !next.isContainerNode()) throw JsonPatch.missing(failure);
            container = next;
        }
        return new Place(container, unescape(parts[parts.length - 1]));
    }

    @Nullable
    JsonNode get(String failure) {
        if (container instanceof ArrayNode array) return array.get(index(array.size() - 1, failure));
        return container.get(key);
    }

    void add(JsonNode value, String failure) {
        if (container instanceof ArrayNode array) {
            if (key.equals("-")) array.add(value);
            else array.insert(index(array.size(), failure), value);
        } else {
            ((ObjectNode) container).set(key, value);
        }
    }

    void replace(JsonNode value, String failure) {
        if (container instanceof ArrayNode array) array.set(index(array.size() - 1, failure), value);
        else ((ObjectNode) container).set(key, value);
    }

    void remove(String failure) {
        if (container instanceof ArrayNode array) {
            array.remove(index(array.size() - 1, failure));
        } else if (((ObjectNode) container).remove(key) == null) {
            throw JsonPatch.missing(failure + ": Unable to remove nonexistent key: " + key);
        }
    }

    private boolean exists() {
        return container.isObject() ? container.has(key) : isIndex() && wrapped(container.size()) < container.size();
    }

    private int index(int last, String failure) {
        if (!isIndex()) {
            throw new DoesNotApply(
                    "%s: value was not a proper array index: '%s': strconv.Atoi: parsing \"%s\": invalid syntax"
                            .formatted(failure, key, key));
        }
        int index = wrapped(last + 1);
        if (index > last || index < 0) {
            throw new DoesNotApply(
                    "%s: Unable to access invalid index: %s: invalid index referenced".formatted(failure, key));
        }
        return index;
    }

    private boolean isIndex() {
        return key.matches("[+-]?[0-9]{1,9}");
    }

    private int wrapped(int size) {
        int index = Integer.parseInt(key);
        return index < 0 ? index + size : index;
    }

    private static String unescape(String part) {
        return part.indexOf('~') < 0 ? part : part.replace("~1", "/").replace("~0", "~");
    }
}
