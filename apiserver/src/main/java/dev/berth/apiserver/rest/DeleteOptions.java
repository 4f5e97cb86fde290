package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import dev.berth.apiserver.store.Stored;
import java.util.List;

/**
 * How a client wants something deleted.
 *
 * @param uid the precondition; empty for none
 * @param resourceVersion the precondition; empty for none
 * @param gracePeriodSeconds negative for the kind's own
 * @param propagationPolicy empty for the kind's own
 */
record DeleteOptions(String uid, String resourceVersion, long gracePeriodSeconds, String propagationPolicy) {
    static final DeleteOptions PLAIN = new DeleteOptions("", "", -1, "");

    /** From the body if there is one, else from the query. */
    static DeleteOptions of(JsonNode body, Query query) {
        JsonNode conditions = body.path("preconditions");
        String policy = body.path("propagationPolicy").asText(query.text("propagationPolicy"));
        boolean orphan = body.path("orphanDependents").asBoolean(query.flag("orphanDependents"));
        if (!policy.isEmpty() && (body.has("orphanDependents") || query.has("orphanDependents"))) {
            throw ApiException.invalidOptions(
                    "DeleteOptions",
                    List.of(FieldError.invalid(
                            "propagationPolicy",
                            '"' + policy + '"',
                            "orphanDependents and deletionPropagation cannot be both set")));
        }
        if (policy.isEmpty() && (body.has("orphanDependents") || query.has("orphanDependents"))) {
            policy = orphan ? "Orphan" : "Background";
        }
        switch (policy) {
            case "", "Background", "Foreground", "Orphan" -> {}
            default ->
                throw ApiException.invalidOptions(
                        "DeleteOptions",
                        List.of(FieldError.notSupported(
                                "propagationPolicy", policy, List.of("Foreground", "Background", "Orphan", "nil"))));
        }
        long grace = body.hasNonNull("gracePeriodSeconds")
                ? body.path("gracePeriodSeconds").asLong()
                : query.number("gracePeriodSeconds", -1);
        return new DeleteOptions(
                conditions.path("uid").asText(""),
                conditions.path("resourceVersion").asText(""),
                grace,
                policy);
    }

    void check(ResourceType type, String name, Stored current) {
        if (!uid.isEmpty() && !uid.equals(current.facts().uid())) {
            throw conflict(
                    type,
                    name,
                    "the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated"
                            .formatted(uid, current.facts().uid()));
        }
        if (!resourceVersion.isEmpty() && !resourceVersion.equals(Long.toString(current.revision()))) {
            throw conflict(
                    type,
                    name,
                    "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%d). The object might have been modified"
                            .formatted(resourceVersion, current.revision()));
        }
    }

    /** Here Kubernetes names the kind where it names the resource elsewhere. */
    private static ApiException conflict(ResourceType type, String name, String why) {
        ObjectNode details = JsonNodeFactory.instance.objectNode().put("name", name);
        if (!type.group().isEmpty()) details.put("group", type.group());
        details.put("kind", type.kind());
        return new ApiException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type.qualifiedKind(), name, why),
                details);
    }

    /** Turns the policy into the finalizers that the collector acts upon. */
    boolean applyPropagation(ObjectNode object) {
        if (propagationPolicy.isEmpty()) return false;
        JsonNode before = object.path("metadata").path("finalizers").deepCopy();
        Metadata.removeFinalizer(object, "orphan");
        Metadata.removeFinalizer(object, "foregroundDeletion");
        if (propagationPolicy.equals("Orphan")) Metadata.addFinalizer(object, "orphan");
        if (propagationPolicy.equals("Foreground")) Metadata.addFinalizer(object, "foregroundDeletion");
        return !before.equals(object.path("metadata").path("finalizers"));
    }

    /** As a webhook is shown them. */
    ObjectNode toTree() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        if (gracePeriodSeconds >= 0) tree.put("gracePeriodSeconds", gracePeriodSeconds);
        if (!uid.isEmpty()) tree.putObject("preconditions").put("uid", uid);
        if (!propagationPolicy.isEmpty()) tree.put("propagationPolicy", propagationPolicy);
        return tree;
    }
}
