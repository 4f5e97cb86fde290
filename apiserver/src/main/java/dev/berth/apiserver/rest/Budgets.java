package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** PodDisruptionBudgets, as far as an eviction asks them: their status says how many more pods may go. */
final class Budgets {
    private final Rooms rooms;
    private final Verbs verbs;

    Budgets(Rooms rooms, Verbs verbs) {
        this.rooms = rooms;
        this.verbs = verbs;
    }

    /** Takes one disruption from the budget that covers the pod, if one does. */
    void spend(Stored pod, String namespace, Call call) {
        ResourceType type =
                rooms.catalog().byPath("policy", "v1", "poddisruptionbudgets").orElseThrow();
        List<ObjectNode> covering = new ArrayList<>();
        rooms.repository().store().snapshot(rooms.repository().table(type)).visit("", namespace + "/", (_, stored) -> {
            ObjectNode budget = Json.tree(type, stored);
            if (covers(budget.path("spec").path("selector"), pod.facts().labels())) covering.add(budget);
            return true;
        });
        if (covering.isEmpty()) return;
        if (covering.size() > 1) {
            throw new ApiException(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                    null);
        }
        String name = Metadata.text(covering.getFirst(), "name");
        verbs.amend(type, namespace, name, Budgets::spent, call);
    }

    private static ObjectNode spent(ObjectNode budget) {
        int allowed = budget.path("status").path("disruptionsAllowed").asInt(0);
        if (allowed <= 0) throw tooMany(budget);
        ((ObjectNode) budget.path("status")).put("disruptionsAllowed", allowed - 1);
        return budget;
    }

    private static ApiException tooMany(ObjectNode budget) {
        JsonNode status = budget.path("status");
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes")
                .addObject()
                .put("reason", "DisruptionBudget")
                .put(
                        "message",
                        "The disruption budget %s needs %d healthy pods and has %d currently"
                                .formatted(
                                        Metadata.text(budget, "name"),
                                        status.path("desiredHealthy").asInt(0),
                                        status.path("currentHealthy").asInt(0)));
        return new ApiException(
                429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", details);
    }

    private static boolean covers(JsonNode selector, Map<String, String> labels) {
        if (selector.isMissingNode()) return false;
        for (Map.Entry<String, JsonNode> each : selector.path("matchLabels").properties()) {
            if (!each.getValue().asText().equals(labels.get(each.getKey()))) return false;
        }
        for (JsonNode each : selector.path("matchExpressions")) {
            String value = labels.get(each.path("key").asText());
            boolean listed = false;
            for (JsonNode one : each.path("values")) listed |= one.asText().equals(value);
            boolean fits = switch (each.path("operator").asText()) {
                case "In" -> listed;
                case "NotIn" -> !listed;
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> false;
            };
            if (!fits) return false;
        }
        return true;
    }
}
