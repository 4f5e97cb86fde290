package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import org.jspecify.annotations.Nullable;

/**
 * JSON Patch, RFC 6902, with the habits of the library that Kubernetes uses: {@code replace} of a missing member adds
 * it, {@code copy} of one adds a null, and indices below zero count from the end.
 */
public final class JsonPatch {
    private static final int MOST_OPERATIONS = 10_000;

    private JsonPatch() {}

    /** An operation that failed; the message is the library's, which API clients never see but webhooks' callers do. */
    public static final class DoesNotApply extends RuntimeException {
        DoesNotApply(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * The patched object as a PATCH request gets it; neither argument is changed.
     *
     * @throws ApiException 400 when the patch is not a list of operations, 413 when there are too many, 422 when one
     *     does not apply
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        ArrayNode operations = decode(patch);
        if (operations.size() > MOST_OPERATIONS) {
            throw new ApiException(
                    413,
                    "RequestEntityTooLarge",
                    "Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d"
                            .formatted(MOST_OPERATIONS, operations.size()),
                    null);
        }
        try {
            return applyOperations(original, operations);
        } catch (DoesNotApply _) {
            throw new ApiException(
                    422,
                    "Invalid",
                    "the server rejected our request due to an error in our request",
                    JsonNodeFactory.instance.objectNode());
        }
    }

    /**
     * The patched object; neither argument is changed.
     *
     * @throws DoesNotApply when an operation fails, and nothing is to be kept
     */
    public static ObjectNode applyOperations(ObjectNode original, ArrayNode operations) {
        JsonNode document = original.deepCopy();
        for (JsonNode operation : operations) document = step(document, operation);
        if (document instanceof ObjectNode object) return object;
        throw new DoesNotApply("the patched document is not an object");
    }

    private static ArrayNode decode(JsonNode patch) {
        if (patch.isNull() || patch.isMissingNode()) return JsonNodeFactory.instance.arrayNode();
        if (!(patch instanceof ArrayNode operations)) {
            throw undecodable(patch, "Go value of type []handlers.jsonPatchOp");
        }
        for (JsonNode operation : operations) {
            if (!operation.isObject()) throw undecodable(operation, "Go value of type handlers.jsonPatchOp");
            for (String field : new String[] {"op", "path", "from"}) {
                JsonNode value = operation.get(field);
                if (value != null && !value.isTextual() && !value.isNull()) {
                    throw undecodable(value, "Go struct field jsonPatchOp.%s of type string".formatted(field));
                }
            }
        }
        return operations;
    }

    private static ApiException undecodable(JsonNode value, String target) {
        return ApiException.badRequest(
                "error decoding patch: json: cannot unmarshal %s into %s".formatted(GoText.kind(value), target));
    }

    private static JsonNode step(JsonNode document, JsonNode operation) {
        String kind = operation.path("op").asText("unknown");
        String path = operation.path("path").asText();
        if (!operation.path("path").isTextual()) throw missing(kind + " operation failed to decode path");
        return switch (kind) {
            case "add" -> {
                Place.find(document, path, "add operation does not apply: doc is missing path: \"" + path + "\"")
                        .add(value(operation), "error in add for path: '" + path + "'");
                yield document;
            }
            case "remove" -> {
                Place.find(document, path, "remove operation does not apply: doc is missing path: \"" + path + "\"")
                        .remove("error in remove for path: '" + path + "'");
                yield document;
            }
            case "replace" -> replace(document, path, value(operation));
            case "move" -> move(document, operation.path("from").asText(), path);
            case "copy" -> copy(document, operation.path("from").asText(), path);
            case "test" -> test(document, path, operation.get("value"));
            default -> throw new DoesNotApply("Unexpected kind: " + kind);
        };
    }

    private static JsonNode replace(JsonNode document, String path, JsonNode value) {
        if (path.isEmpty()) {
            if (!value.isContainerNode()) {
                throw new DoesNotApply("replace operation value must be object or array: %!w(<nil>)");
            }
            return value;
        }
        Place place = Place.find(document, path, "replace operation does not apply: doc is missing path: " + path);
        place.replace(value, "replace operation does not apply: doc is missing key: " + path);
        return document;
    }

    private static JsonNode move(JsonNode document, String from, String path) {
        Place source = Place.find(document, from, "move operation does not apply: doc is missing from path: " + from);
        String failure = "error in move for path: '" + source.key() + "'";
        JsonNode value = source.get(failure);
        source.remove(failure);
        Place.find(document, path, "move operation does not apply: doc is missing destination path: " + path)
                .add(value == null ? NullNode.instance : value, "error in move for path: '" + path + "'");
        return document;
    }

    private static JsonNode copy(JsonNode document, String from, String path) {
        Place source = Place.find(document, from, "copy operation does not apply: doc is missing from path: " + from);
        JsonNode value = source.get("error in copy for from: '" + from + "'");
        Place.find(document, path, "copy operation does not apply: doc is missing destination path: " + path)
                .add(value == null ? NullNode.instance : value.deepCopy(), "error while adding value during copy");
        return document;
    }

    private static JsonNode test(JsonNode document, String path, @Nullable JsonNode expected) {
        JsonNode actual = document;
        if (!path.isEmpty()) {
            actual = Place.find(document, path, "test operation does not apply: is missing path: " + path)
                    .get("error in test for path: '" + path + "'");
        }
        JsonNode found = actual == null ? NullNode.instance : actual;
        if (!Scalars.same(found, expected == null ? NullNode.instance : expected)) {
            throw new DoesNotApply("testing value " + path + " failed: test failed");
        }
        return document;
    }

    private static JsonNode value(JsonNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.instance : value.deepCopy();
    }

    static DoesNotApply missing(String what) {
        return new DoesNotApply(what + ": missing value");
    }
}
