package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.util.Iterator;

/** JSON merge patch, RFC 7386. */
public final class MergePatch {
    private MergePatch() {}

    /**
     * The patched object; neither argument is changed.
     *
     * @throws ApiException 400 when the patch is not an object
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        if (patch.isNull() || patch.isMissingNode()) throw ApiException.badRequest("Invalid JSON Patch");
        if (!(patch instanceof ObjectNode changes)) {
            throw ApiException.badRequest(
                    "error decoding patch: json: cannot unmarshal %s into Go value of type map[string]interface {}"
                            .formatted(GoText.kind(patch)));
        }
        ObjectNode result = original.deepCopy();
        merge(result, changes.deepCopy());
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (var field : patch.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (target.get(field.getKey()) instanceof ObjectNode inner && value instanceof ObjectNode changes) {
                merge(inner, changes);
            } else {
                // Kubernetes keeps nulls inside a list that replaces another list; they mean nothing to its decoder.
                dropNulls(value);
                target.set(field.getKey(), value);
            }
        }
    }

    /** Removes every null property from the value, at any depth; items of lists stay. */
    static void dropNulls(JsonNode value) {
        if (value.isArray()) value.forEach(MergePatch::dropNulls);
        if (!value.isObject()) return;
        for (Iterator<JsonNode> values = value.iterator(); values.hasNext(); ) {
            JsonNode inner = values.next();
            if (inner.isNull()) values.remove();
            else dropNulls(inner);
        }
    }
}
