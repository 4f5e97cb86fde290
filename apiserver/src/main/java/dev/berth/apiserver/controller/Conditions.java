package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes conditions the way kube-controller-manager does. */
final class Conditions {
    private Conditions() {}

    /** Nothing changes when the condition has this status and this reason already. True when it did change. */
    static boolean set(
            ObjectNode status, String type, String value, String reason, @Nullable String message, Instant now) {
        ObjectNode known = find(status, type);
        if (known != null
                && known.path("status").asText().equals(value)
                && known.path("reason").asText().equals(reason)) {
            return false;
        }
        String since = known != null && known.path("status").asText().equals(value)
                ? known.path("lastTransitionTime").asText()
                : Fields.time(now);
        remove(status, type);
        status.withArrayProperty("conditions")
                .addObject()
                .put("type", type)
                .put("status", value)
                .put("lastTransitionTime", since)
                .put("reason", reason)
                .put("message", message == null ? "" : message);
        return true;
    }

    static @Nullable ObjectNode find(ObjectNode status, String type) {
        for (var each : status.path("conditions")) {
            if (each.path("type").asText().equals(type)) return (ObjectNode) each;
        }
        return null;
    }

    static void remove(ObjectNode status, String type) {
        if (!(status.get("conditions") instanceof ArrayNode conditions)) return;
        for (int i = conditions.size() - 1; i >= 0; i--) {
            if (conditions.get(i).path("type").asText().equals(type)) conditions.remove(i);
        }
        if (conditions.isEmpty()) status.remove("conditions");
    }
}
