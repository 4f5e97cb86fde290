package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;

/** Whether a label selector matches labels. */
final class Selectors {
    private Selectors() {}

    /** No selector matches nothing; an empty one matches everything. */
    static boolean matches(JsonNode selector, JsonNode labels) {
        if (selector.isMissingNode()) return false;
        for (var entry : at(selector, "matchLabels").properties())
            if (!has(labels, entry.getKey())
                    || !text(labels, entry.getKey()).equals(entry.getValue().asText())) return false;
        for (JsonNode requirement : items(selector, "matchExpressions"))
            if (!matchesOne(requirement, labels)) return false;
        return true;
    }

    private static boolean matchesOne(JsonNode requirement, JsonNode labels) {
        String key = text(requirement, "key");
        boolean there = has(labels, key);
        return switch (text(requirement, "operator")) {
            case "In" -> there && contains(requirement, text(labels, key));
            case "NotIn" -> !there || !contains(requirement, text(labels, key));
            case "Exists" -> there;
            default -> !there;
        };
    }

    private static boolean contains(JsonNode requirement, String value) {
        for (JsonNode each : items(requirement, "values")) if (each.asText().equals(value)) return true;
        return false;
    }

    static boolean isEmpty(JsonNode selector) {
        return at(selector, "matchLabels").isEmpty()
                && items(selector, "matchExpressions").isEmpty();
    }
}
