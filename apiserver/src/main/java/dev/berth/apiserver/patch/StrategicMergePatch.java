package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import dev.berth.apiserver.status.ApiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Strategic merge patch: a merge patch that knows from the schema which lists merge, and by which key. Custom resources
 * have no such knowledge; the caller refuses theirs.
 */
public final class StrategicMergePatch {
    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_PREFIX = "$deleteFromPrimitiveList";
    static final String ORDER_PREFIX = "$setElementOrder";

    private StrategicMergePatch() {}

    /**
     * The patched object; no argument is changed.
     *
     * @throws ApiException 400 or, as in Kubernetes, a 500 without a reason when the patch makes no sense
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch, Schema schema) {
        if (patch.isNull() || patch.isMissingNode()) return original.deepCopy();
        if (!(patch instanceof ObjectNode changes)) {
            throw ApiException.badRequest("json: cannot unmarshal %s into Go value of type map[string]interface {}"
                    .formatted(GoText.kind(patch)));
        }
        return mergeObject(original.deepCopy(), changes.deepCopy(), Optional.of(schema));
    }

    static ObjectNode mergeObject(ObjectNode original, ObjectNode patch, Optional<Schema> schema) {
        JsonNode directive = patch.get(DIRECTIVE);
        if (directive != null) return replaceObject(directive, patch);
        retainKeys(original, patch);
        orderLists(original, patch, schema);
        for (var field : patch.properties()) {
            String key = field.getKey();
            boolean deletes = key.startsWith(DELETE_PREFIX);
            if (deletes) key = keyAfter(DELETE_PREFIX, key, "invalid patch format of primitive list");
            mergeField(original, key, field.getValue(), deletes, schema);
        }
        return original;
    }

    private static ObjectNode replaceObject(JsonNode directive, ObjectNode patch) {
        return switch (directive.asText()) {
            case "replace" -> {
                patch.remove(DIRECTIVE);
                yield patch;
            }
            case "delete" -> JsonNodeFactory.instance.objectNode();
            default -> throw unknownDirective(directive, patch);
        };
    }

    private static void mergeField(
            ObjectNode original, String key, JsonNode value, boolean deletes, Optional<Schema> schema) {
        if (value.isNull()) {
            original.remove(key);
            return;
        }
        JsonNode existing = original.get(key);
        Optional<Schema> property = schema.flatMap(parent -> parent.property(key));
        if (existing instanceof ObjectNode object && value instanceof ObjectNode changes) {
            boolean replaces = strategy(property).equals("replace");
            original.set(key, replaces ? changes : mergeObject(object, changes, property));
        } else if (existing instanceof ArrayNode items && value instanceof ArrayNode changes) {
            original.set(key, mergeList(items, changes, property, deletes));
        } else if (!deletes) {
            Optional<JsonNode> clean = withoutDirectives(value);
            if (clean.isPresent()) original.set(key, clean.get());
            else original.remove(key);
        }
    }

    private static ArrayNode mergeList(
            ArrayNode original, ArrayNode patch, Optional<Schema> property, boolean deletes) {
        if (!deletes && !strategy(property).equals("merge")) return patch;
        if (original.isEmpty() && patch.isEmpty()) return original;
        boolean objects = elementsAreObjects(original, patch);
        if (!objects) {
            List<JsonNode> merged = new ArrayList<>();
            if (deletes) {
                original.forEach(item -> {
                    if (ElementOrder.position(patch, item, "") < 0) merged.add(item);
                });
                return ElementOrder.list(merged);
            }
            original.forEach(item -> addOnce(merged, item));
            patch.forEach(item -> addOnce(merged, item));
            return new ElementOrder("", patch, original).arrange(merged);
        }
        String mergeKey = property.flatMap(Schema::patchMergeKey).orElse("");
        if (mergeKey.isEmpty()) throw unexplained("cannot merge lists without merge key for " + schemaName(property));
        return mergeObjects(original, patch, mergeKey, property.flatMap(Schema::items));
    }

    private static ArrayNode mergeObjects(
            ArrayNode original, ArrayNode patch, String mergeKey, Optional<Schema> items) {
        ArrayNode plain = JsonNodeFactory.instance.arrayNode();
        boolean replaces = false;
        for (JsonNode item : patch) {
            JsonNode directive = item.get(DIRECTIVE);
            if (directive == null) {
                plain.add(item);
                continue;
            }
            switch (directive.asText()) {
                case "delete" -> {
                    JsonNode key = ElementOrder.requireKey(item, mergeKey);
                    for (Iterator<JsonNode> each = original.iterator(); each.hasNext(); ) {
                        if (Scalars.same(each.next().path(mergeKey), key)) each.remove();
                    }
                }
                case "replace" -> replaces = true;
                case "merge" -> throw unexplained("merging lists cannot yet be specified in the patch");
                default -> throw unknownDirective(directive, item);
            }
        }
        if (replaces) return plain;
        ArrayNode before = original.deepCopy();
        for (JsonNode item : plain) {
            JsonNode key = ElementOrder.requireKey(item, mergeKey);
            int position = ElementOrder.positionOfKey(original, key, mergeKey);
            if (position >= 0) {
                original.set(
                        position,
                        mergeObject((ObjectNode) original.get(position), ((ObjectNode) item).deepCopy(), items));
            } else {
                withoutDirectives(item).ifPresent(original::add);
            }
        }
        List<JsonNode> merged = new ArrayList<>();
        original.forEach(merged::add);
        return new ElementOrder(mergeKey, plain, before).arrange(merged);
    }

    /** Handles every {@code $setElementOrder} list together with the list that it orders, and takes both out. */
    private static void orderLists(ObjectNode original, ObjectNode patch, Optional<Schema> schema) {
        List<String> directives = new ArrayList<>();
        patch.fieldNames().forEachRemaining(name -> {
            if (name.startsWith(ORDER_PREFIX)) directives.add(name);
        });
        for (String directive : directives) {
            JsonNode order = patch.remove(directive);
            if (!(order instanceof ArrayNode wanted)) throw wrongType("[]interface {}", order);
            String key = keyAfter(ORDER_PREFIX, directive, "invalid patch format of setElementOrder list");
            JsonNode live = original.get(key);
            JsonNode changes = patch.remove(key);
            if (live != null && !live.isArray()) throw wrongType("[]interface {}", live);
            if (changes != null && !changes.isArray()) throw wrongType("[]interface {}", changes);
            Optional<Schema> property = schema.flatMap(parent -> parent.property(key));
            String mergeKey = property.flatMap(Schema::patchMergeKey).orElse("");
            if (changes != null) ElementOrder.requireSubset(changes, wanted, mergeKey);
            ArrayNode before = live == null ? JsonNodeFactory.instance.arrayNode() : (ArrayNode) live.deepCopy();
            JsonNode merged = live;
            if (changes != null) {
                merged = live == null
                        ? withoutDirectives(changes).orElseThrow()
                        : mergeList((ArrayNode) live, (ArrayNode) changes, property, false);
            }
            if (merged == null) continue;
            List<JsonNode> items = new ArrayList<>();
            merged.forEach(items::add);
            original.set(key, new ElementOrder(mergeKey, wanted, before).arrange(items));
        }
    }

    private static void retainKeys(ObjectNode original, ObjectNode patch) {
        JsonNode retained = patch.remove(RETAIN_KEYS);
        if (retained == null) return;
        if (!retained.isArray()) throw ApiException.badRequest("invalid patch format of retainKeys");
        Set<String> keys = new HashSet<>();
        retained.forEach(key -> keys.add(key.asText()));
        for (var field : patch.properties()) {
            String key = field.getKey();
            boolean directive = key.startsWith(DELETE_PREFIX) || key.startsWith(ORDER_PREFIX);
            if (!field.getValue().isNull() && !directive && !keys.contains(key)) {
                throw ApiException.badRequest("invalid patch format of retainKeys");
            }
        }
        original.retain(keys);
    }

    /** The value as it goes into an object that had none, or nothing when it is itself a directive. */
    private static Optional<JsonNode> withoutDirectives(JsonNode value) {
        if (value instanceof ArrayNode items) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            items.forEach(item -> withoutDirectives(item).ifPresent(kept::add));
            return Optional.of(kept);
        }
        if (!(value instanceof ObjectNode object)) return Optional.of(value);
        if (object.has(DIRECTIVE)) return Optional.empty();
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> {
            String key = field.getKey();
            if (field.getValue().isNull() || isDirective(key)) return;
            withoutDirectives(field.getValue()).ifPresent(inner -> kept.set(key, inner));
        });
        return Optional.of(kept);
    }

    private static boolean isDirective(String key) {
        return key.equals(RETAIN_KEYS) || key.startsWith(DELETE_PREFIX + "/") || key.startsWith(ORDER_PREFIX + "/");
    }

    private static void addOnce(List<JsonNode> list, JsonNode item) {
        for (JsonNode other : list) if (Scalars.same(other, item)) return;
        list.add(item);
    }

    private static boolean elementsAreObjects(ArrayNode original, ArrayNode patch) {
        String type = null;
        for (ArrayNode list : List.of(original, patch)) {
            for (JsonNode item : list) {
                String next = GoText.type(item);
                if (type == null) {
                    if (item.isArray()) {
                        throw new ApiException(422, "Invalid", "lists of lists are not supported", null);
                    }
                    type = next;
                } else if (!type.equals(next)) {
                    throw unexplained("list element types are not identical: [%s %s]"
                            .formatted(GoText.of(original), GoText.of(patch)));
                }
            }
        }
        return "map[string]interface {}".equals(type);
    }

    private static String strategy(Optional<Schema> property) {
        Set<String> strategies = property.map(Schema::patchStrategies).orElse(Set.of());
        if (strategies.contains("merge")) return "merge";
        return strategies.contains("replace") ? "replace" : "";
    }

    private static String schemaName(Optional<Schema> property) {
        return property.map(schema -> schema.type().name().toLowerCase(Locale.ROOT))
                .orElse("unknown");
    }

    private static String keyAfter(String prefix, String key, String failure) {
        if (!key.startsWith(prefix + "/")) throw ApiException.badRequest(failure);
        return key.substring(prefix.length() + 1);
    }

    static ApiException wrongType(String expected, JsonNode actual) {
        return unexplained("expected a %s, but received a %s".formatted(expected, GoText.type(actual)));
    }

    private static ApiException unknownDirective(JsonNode directive, JsonNode item) {
        return unexplained("unknown patch type: %s in map: %s".formatted(directive.asText(), GoText.of(item)));
    }

    /** What Kubernetes makes of an error that it did not expect: a 500 with the message and no reason. */
    static ApiException unexplained(String message) {
        return new ApiException(500, "", message, null);
    }
}
