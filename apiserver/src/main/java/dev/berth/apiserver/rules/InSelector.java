package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/** Labels and selectors in the order in which Go prints maps. */
final class InSelector {
    private InSelector() {}

    static JsonNode ordered(JsonNode selector) {
        if (!(selector.deepCopy() instanceof ObjectNode copy)) return selector;
        if (copy.has("matchLabels")) copy.set("matchLabels", sorted(at(copy, "matchLabels")));
        return copy;
    }

    static JsonNode sorted(JsonNode labels) {
        if (!labels.isObject()) return labels;
        Map<String, JsonNode> byName = new TreeMap<>();
        for (var entry : labels.properties()) byName.put(entry.getKey(), entry.getValue());
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        byName.forEach(sorted::set);
        return sorted;
    }
}
