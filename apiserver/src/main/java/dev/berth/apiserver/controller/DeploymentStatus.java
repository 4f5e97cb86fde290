package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a Deployment says of its rollout: what {@code kubectl rollout status} waits for. */
final class DeploymentStatus {
    private DeploymentStatus() {}

    static ObjectNode of(ObjectNode deployment, List<ObjectNode> sets, @Nullable ObjectNode newest, Instant now) {
        Rollout rollout = Rollout.of(deployment);
        int available = Rollout.sum(sets, "availableReplicas");
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put(
                "observedGeneration",
                deployment.path("metadata").path("generation").asLong());
        count(status, "replicas", Rollout.sum(sets, "replicas"));
        count(status, "updatedReplicas", newest == null ? 0 : Rollout.sum(List.of(newest), "replicas"));
        count(status, "readyReplicas", Rollout.sum(sets, "readyReplicas"));
        count(status, "availableReplicas", available);
        count(status, "unavailableReplicas", Math.max(0, Rollout.total(sets) - available));
        status.put("terminatingReplicas", Rollout.sum(sets, "terminatingReplicas"));
        JsonNode before = deployment.path("status");
        if (before.has("collisionCount")) status.set("collisionCount", before.get("collisionCount"));
        if (before.has("conditions")) {
            status.set("conditions", before.get("conditions").deepCopy());
        }
        if (available >= rollout.mustBeAvailable()) {
            condition(
                    status,
                    "Available",
                    "True",
                    "MinimumReplicasAvailable",
                    "Deployment has minimum availability.",
                    now);
        } else {
            condition(
                    status,
                    "Available",
                    "False",
                    "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.",
                    now);
        }
        if (deployment.path("spec").hasNonNull("progressDeadlineSeconds")) progress(deployment, newest, status, now);
        else Conditions.remove(status, "Progressing");
        failure(sets, status, now);
        return status;
    }

    private static void progress(ObjectNode deployment, @Nullable ObjectNode newest, ObjectNode status, Instant now) {
        ObjectNode current = Conditions.find(status, "Progressing");
        boolean finished = current != null
                && current.path("reason").asText().equals("NewReplicaSetAvailable")
                && status.path("replicas").asInt()
                        == status.path("updatedReplicas").asInt();
        if (finished) return;
        String what = newest == null
                ? "Deployment \"" + Fields.name(deployment) + "\""
                : "ReplicaSet \"" + Fields.name(newest) + "\"";
        if (complete(deployment, status)) {
            condition(
                    status,
                    "Progressing",
                    "True",
                    "NewReplicaSetAvailable",
                    what + " has successfully progressed.",
                    now);
        } else if (advanced(deployment.path("status"), status)) {
            String since = current != null && current.path("status").asText().equals("True")
                    ? current.path("lastTransitionTime").asText()
                    : Fields.time(now);
            Conditions.remove(status, "Progressing");
            condition(status, "Progressing", "True", "ReplicaSetUpdated", what + " is progressing.", now);
            ObjectNode written = Conditions.find(status, "Progressing");
            if (written != null) written.put("lastTransitionTime", since);
        } else if (current != null && timedOut(deployment, current, now)) {
            condition(
                    status,
                    "Progressing",
                    "False",
                    "ProgressDeadlineExceeded",
                    what + " has timed out progressing.",
                    now);
        }
    }

    private static void failure(List<ObjectNode> sets, ObjectNode status, Instant now) {
        for (ObjectNode set : sets) {
            JsonNode failure = Fields.condition(set, "ReplicaFailure");
            if (failure.isMissingNode()) continue;
            condition(
                    status,
                    "ReplicaFailure",
                    failure.path("status").asText(),
                    failure.path("reason").asText(),
                    failure.path("message").asText(),
                    now);
            return;
        }
        Conditions.remove(status, "ReplicaFailure");
    }

    static void condition(ObjectNode status, String type, String value, String reason, String message, Instant now) {
        if (!Conditions.set(status, type, value, reason, message, now)) return;
        ObjectNode written = Conditions.find(status, type);
        if (written != null) written.put("lastUpdateTime", Fields.time(now));
    }

    static boolean complete(JsonNode deployment, JsonNode status) {
        int desired = deployment.path("spec").path("replicas").asInt(1);
        return status.path("updatedReplicas").asInt() == desired
                && status.path("replicas").asInt() == desired
                && status.path("availableReplicas").asInt() == desired
                && status.path("observedGeneration").asLong()
                        >= deployment.path("metadata").path("generation").asLong();
    }

    private static boolean advanced(JsonNode before, JsonNode now) {
        int oldBefore =
                before.path("replicas").asInt() - before.path("updatedReplicas").asInt();
        int oldNow = now.path("replicas").asInt() - now.path("updatedReplicas").asInt();
        return now.path("updatedReplicas").asInt()
                        > before.path("updatedReplicas").asInt()
                || oldNow < oldBefore
                || now.path("readyReplicas").asInt()
                        > before.path("readyReplicas").asInt()
                || now.path("availableReplicas").asInt()
                        > before.path("availableReplicas").asInt();
    }

    private static boolean timedOut(JsonNode deployment, JsonNode condition, Instant now) {
        String reason = condition.path("reason").asText();
        if (reason.equals("NewReplicaSetAvailable")) return false;
        if (reason.equals("ProgressDeadlineExceeded")) return true;
        long deadline = deployment.path("spec").path("progressDeadlineSeconds").asLong();
        Instant since = Fields.instant(condition.path("lastUpdateTime"));
        return Duration.between(since, now).toSeconds() > deadline;
    }

    private static void count(ObjectNode status, String field, int count) {
        if (count != 0) status.put(field, count);
    }
}
