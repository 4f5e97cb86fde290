package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.HashMap;
import java.util.Map;

/** Events are stored as the core group has them; events.k8s.io calls the same fields by other names. */
final class EventForms {
    private static final Map<String, String> CORE_NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");
    private static final Map<String, String> NEW_NAMES = inverse(CORE_NAMES);

    private EventForms() {}

    static boolean isConverted(ResourceType type) {
        return type.group().equals("events.k8s.io");
    }

    /** The name of a field of an event as it is stored; selectors name fields inside {@code regarding} too. */
    static String coreName(String field) {
        int dot = field.indexOf('.');
        if (dot > 0)
            return CORE_NAMES.getOrDefault(field.substring(0, dot), field.substring(0, dot)) + field.substring(dot);
        return CORE_NAMES.getOrDefault(field, field);
    }

    static ObjectNode toCore(ObjectNode event) {
        return renamed(event, CORE_NAMES, "v1");
    }

    static ObjectNode fromCore(ObjectNode event) {
        return renamed(event, NEW_NAMES, "events.k8s.io/v1");
    }

    private static ObjectNode renamed(ObjectNode event, Map<String, String> names, String apiVersion) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : event.properties()) {
            copy.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
        }
        if (copy.has("apiVersion")) copy.put("apiVersion", apiVersion);
        return copy;
    }

    private static Map<String, String> inverse(Map<String, String> names) {
        Map<String, String> inverse = new HashMap<>();
        names.forEach((from, to) -> inverse.put(to, from));
        return Map.copyOf(inverse);
    }
}
