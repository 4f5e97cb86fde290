package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One row of a table in the making, and the object that it shows. */
record Row(JsonNode object, Instant now, ArrayNode cells) {
    static final String NONE = "<none>";
    static final String UNSET = "<unset>";

    Row(JsonNode object, Instant now) {
        this(object, now, JsonNodeFactory.instance.arrayNode());
    }

    Row add(String cell) {
        cells.add(cell);
        return this;
    }

    Row add(long cell) {
        cells.add(cell);
        return this;
    }

    Row add(boolean cell) {
        cells.add(cell);
        return this;
    }

    Row name() {
        return add(at("/metadata/name"));
    }

    Row age() {
        return elapsed("/metadata/creationTimestamp");
    }

    /** How long ago that was. */
    Row elapsed(String pointer) {
        return add(since(pointer));
    }

    Row text(String pointer) {
        return add(at(pointer));
    }

    Row text(String pointer, String otherwise) {
        return add(at(pointer, otherwise));
    }

    Row count(String pointer) {
        return add(object.at(pointer).size());
    }

    Row number(String pointer) {
        return add(object.at(pointer).asLong());
    }

    String at(String pointer) {
        return object.at(pointer).asText(""); // null is no text, too: events come with lastTimestamp: null
    }

    String at(String pointer, String otherwise) {
        String found = at(pointer);
        return found.isEmpty() ? otherwise : found;
    }

    String since(String pointer) {
        return HumanDuration.since(at(pointer), now);
    }

    boolean isDeleted() {
        return object.at("/metadata").has("deletionTimestamp");
    }

    /** Names and images of the containers under a pod's spec. */
    Row containers(String podSpec) {
        JsonNode containers = object.at(podSpec + "/containers");
        return add(joined(containers, "name", ",")).add(joined(containers, "image", ","));
    }

    /** {@code a=b,c=d}, sorted by key. */
    Row labels(String pointer) {
        return add(labels(object.at(pointer)));
    }

    static String labels(JsonNode labels) {
        if (labels.isEmpty()) return NONE;
        Map<String, String> sorted = new TreeMap<>();
        labels.properties()
                .forEach(label -> sorted.put(label.getKey(), label.getValue().asText()));
        return sorted.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    /** A label selector in the words of a query. */
    Row selector(String pointer) {
        JsonNode selector = object.at(pointer);
        List<String> parts = new ArrayList<>();
        if (!selector.path("matchLabels").isEmpty()) parts.add(labels(selector.path("matchLabels")));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText();
            List<String> values = new ArrayList<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            String list = values.stream().sorted().collect(Collectors.joining(",", " (", ")"));
            parts.add(
                    switch (expression.path("operator").asText()) {
                        case "In" -> key + " in" + list;
                        case "NotIn" -> key + " notin" + list;
                        case "DoesNotExist" -> "!" + key;
                        default -> key;
                    });
        }
        return add(parts.isEmpty() ? NONE : String.join(",", parts));
    }

    static String joined(JsonNode array, String field, String separator) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.path(field).asText()));
        return String.join(separator, all);
    }

    static String joined(JsonNode array, String separator) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return String.join(separator, all);
    }
}
