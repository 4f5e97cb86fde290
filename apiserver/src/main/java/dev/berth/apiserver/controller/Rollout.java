package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The numbers of a rolling update: how many pods there may be, and how many there must be. */
record Rollout(int desired, int maxSurge, int maxUnavailable, boolean recreate) {
    static Rollout of(JsonNode deployment) {
        int desired = deployment.path("spec").path("replicas").asInt(1);
        JsonNode strategy = deployment.path("spec").path("strategy");
        if (strategy.path("type").asText().equals("Recreate")) return new Rollout(desired, 0, 0, true);
        JsonNode rolling = strategy.path("rollingUpdate");
        int surge = scaled(rolling.path("maxSurge"), desired, true);
        int unavailable = scaled(rolling.path("maxUnavailable"), desired, false);
        // Both zero would stand still for ever.
        if (surge == 0 && unavailable == 0) unavailable = 1;
        return new Rollout(desired, surge, Math.min(unavailable, desired), false);
    }

    /** A number, or a percentage of the whole. */
    static int scaled(JsonNode value, int whole, boolean up) {
        String text = value.isMissingNode() ? "25%" : value.asText();
        try {
            if (!text.endsWith("%")) return Integer.parseInt(text);
            double share = Integer.parseInt(text.substring(0, text.length() - 1)) * (double) whole / 100;
            return (int) (up ? Math.ceil(share) : Math.floor(share));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /** How many replicas the newest set may have now. */
    int forNew(int current, int total) {
        if (recreate || current >= desired) return desired;
        int room = desired + maxSurge - total;
        return room <= 0 ? current : current + Math.min(room, desired - current);
    }

    int mustBeAvailable() {
        return desired - maxUnavailable;
    }

    static int replicas(JsonNode replicaSet) {
        return replicaSet.path("spec").path("replicas").asInt(1);
    }

    static int total(List<ObjectNode> replicaSets) {
        return replicaSets.stream().mapToInt(Rollout::replicas).sum();
    }

    static int sum(List<ObjectNode> replicaSets, String statusField) {
        return replicaSets.stream()
                .mapToInt(each -> each.path("status").path(statusField).asInt())
                .sum();
    }
}
