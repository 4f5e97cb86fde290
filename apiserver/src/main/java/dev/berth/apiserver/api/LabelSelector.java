package dev.berth.apiserver.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A label selector as objects carry it: {@code matchLabels} and {@code matchExpressions}, all of which must hold. */
public record LabelSelector(Map<String, String> labels, List<Expression> expressions) {
    /** Selects everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

    /** One of {@code matchExpressions}. */
    public record Expression(String key, String operator, List<String> values) {
        boolean holds(JsonNode labels) {
            JsonNode value = labels.path(key);
            return switch (operator) {
                case "In" -> value.isTextual() && values.contains(value.textValue());
                case "NotIn" -> !value.isTextual() || !values.contains(value.textValue());
                case "Exists" -> value.isTextual();
                case "DoesNotExist" -> !value.isTextual();
                default -> false;
            };
        }
    }

    public LabelSelector {
        labels = Map.copyOf(labels);
        expressions = List.copyOf(expressions);
    }

    public static LabelSelector of(JsonNode selector) {
        if (selector.isEmpty()) return EVERYTHING;
        List<Expression> expressions = new ArrayList<>();
        for (JsonNode each : selector.path("matchExpressions")) {
            List<String> values = new ArrayList<>();
            each.path("values").forEach(value -> values.add(value.asText()));
            expressions.add(new Expression(
                    each.path("key").asText(), each.path("operator").asText(), List.copyOf(values)));
        }
        return new LabelSelector(ofLabels(selector.path("matchLabels")).labels(), expressions);
    }

    /** Selects what has all of these labels. */
    public static LabelSelector ofLabels(JsonNode labels) {
        Map<String, String> wanted = new HashMap<>();
        labels.properties()
                .forEach(each -> wanted.put(each.getKey(), each.getValue().asText()));
        return new LabelSelector(wanted, List.of());
    }

    public boolean isEmpty() {
        return labels.isEmpty() && expressions.isEmpty();
    }

    /** @param object any object with {@code metadata} */
    public boolean matches(JsonNode object) {
        JsonNode found = object.path("metadata").path("labels");
        for (var wanted : labels.entrySet()) {
            if (!wanted.getValue().equals(found.path(wanted.getKey()).textValue())) return false;
        }
        for (Expression expression : expressions) {
            if (!expression.holds(found)) return false;
        }
        return true;
    }
}
