package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Reads what every controller reads of an object. */
final class Fields {
    private Fields() {}

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText("");
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText("");
    }

    static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("");
    }

    static String label(JsonNode object, String label) {
        return object.path("metadata").path("labels").path(label).asText("");
    }

    static String annotation(JsonNode object, String annotation) {
        return object.path("metadata").path("annotations").path(annotation).asText("");
    }

    static boolean deleting(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    static boolean hasFinalizer(JsonNode object, String finalizer) {
        for (JsonNode each : object.path("metadata").path("finalizers")) {
            if (each.asText().equals(finalizer)) return true;
        }
        return false;
    }

    /** True when it was there. */
    static boolean removeFinalizer(ObjectNode object, String finalizer) {
        if (!(object.path("metadata").path("finalizers") instanceof ArrayNode finalizers)) return false;
        for (int i = 0; i < finalizers.size(); i++) {
            if (finalizers.get(i).asText().equals(finalizer)) {
                finalizers.remove(i);
                if (finalizers.isEmpty()) ((ObjectNode) object.get("metadata")).remove("finalizers");
                return true;
            }
        }
        return false;
    }

    /** The owner reference of the one that controls it. */
    static JsonNode controller(JsonNode object) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) return owner;
        }
        return MissingNode.getInstance();
    }

    static ObjectNode controllerReference(ObjectNode owner) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", owner.path("apiVersion").asText())
                .put("kind", owner.path("kind").asText())
                .put("name", name(owner))
                .put("uid", uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    static JsonNode condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) return condition;
        }
        return MissingNode.getInstance();
    }

    static boolean holds(JsonNode object, String type) {
        return condition(object, type).path("status").asText().equals("True");
    }

    /** As Kubernetes writes times: whole seconds. */
    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static Instant created(JsonNode object) {
        return instant(object.path("metadata").path("creationTimestamp"));
    }

    static Instant instant(JsonNode time) {
        return time.isTextual() ? Instant.parse(time.textValue()) : Instant.EPOCH;
    }
}
