package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order of a merged list: the items that the patch names come in the patch's order, the others keep the server's,
 * and an other comes before a named one only if it did so on the server.
 *
 * @param mergeKey empty for lists of scalars
 */
record ElementOrder(String mergeKey, ArrayNode wanted, ArrayNode server) {

    ArrayNode arrange(List<JsonNode> merged) {
        List<JsonNode> named = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode item : merged) {
            if (!mergeKey.isEmpty()) requireKey(item, mergeKey);
            if (position(wanted, item, mergeKey) >= 0) named.add(item);
            else others.add(item);
        }
        named.sort(Comparator.comparingInt(item -> position(wanted, item, mergeKey)));
        others.sort(Comparator.comparingInt(item -> position(server, item, mergeKey)));
        List<JsonNode> result = new ArrayList<>();
        int next = 0;
        for (JsonNode item : named) {
            while (next < others.size() && precedes(others.get(next), item)) result.add(others.get(next++));
            result.add(item);
        }
        while (next < others.size()) result.add(others.get(next++));
        return list(result);
    }

    private boolean precedes(JsonNode other, JsonNode item) {
        int left = position(server, other, mergeKey);
        int right = position(server, item, mergeKey);
        return left >= 0 && right >= 0 && left < right;
    }

    /** Refuses a patch that names what its own order does not, or names it in another order. */
    static void requireSubset(JsonNode patch, ArrayNode wanted, String mergeKey) {
        if (wanted.isEmpty()) return;
        List<JsonNode> named = new ArrayList<>();
        for (JsonNode item : patch) {
            if (!mergeKey.isEmpty() && !item.isObject()) {
                throw StrategicMergePatch.wrongType("map[string]interface {}", item);
            }
            if (!item.has(StrategicMergePatch.DIRECTIVE)) named.add(item);
        }
        int next = 0;
        for (JsonNode item : wanted) {
            if (next == named.size()) return;
            if (Scalars.same(key(named.get(next), mergeKey), key(item, mergeKey))) next++;
        }
        if (next < named.size()) {
            throw StrategicMergePatch.unexplained("The order in patch list:\n%s\n doesn't match %s list:\n%s\n"
                    .formatted(GoText.of(patch), StrategicMergePatch.ORDER_PREFIX, GoText.of(wanted)));
        }
    }

    static JsonNode requireKey(JsonNode item, String mergeKey) {
        JsonNode key = item.get(mergeKey);
        if (key != null) return key;
        throw StrategicMergePatch.unexplained(
                "map: %s does not contain declared merge key: %s".formatted(GoText.of(item), mergeKey));
    }

    private static JsonNode key(JsonNode item, String mergeKey) {
        return mergeKey.isEmpty() ? item : requireKey(item, mergeKey);
    }

    /** Where the list holds the item, or an item of the same key; below zero when nowhere. */
    static int position(ArrayNode list, JsonNode item, String mergeKey) {
        return positionOfKey(list, mergeKey.isEmpty() ? item : item.path(mergeKey), mergeKey);
    }

    static int positionOfKey(ArrayNode list, JsonNode key, String mergeKey) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode other = list.path(i);
            if (Scalars.same(mergeKey.isEmpty() ? other : other.path(mergeKey), key)) return i;
        }
        return -1;
    }

    static ArrayNode list(List<JsonNode> items) {
        return JsonNodeFactory.instance.arrayNode(items.size()).addAll(items);
    }
}
