package dev.berth.assigner.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.web.admission.JsonPatch;
import dev.berth.web.admission.JsonPointer;
import java.util.stream.Collectors;

/** Writes an assignment into a pod: six operations, always in the same order, because callers count on their places. */
public record AssignmentPatch(Pin pin, CdiFormat format) {
    private static final JsonPointer ANNOTATIONS = JsonPointer.of("metadata", "annotations");
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    public JsonPatch of(ObjectNode pod, Assignment assignment) {
        var patch = JsonPatch.of(pod);
        // The first adds the map that the next four write into; where there is one it is written once more as it is.
        var annotations = pod.path("metadata").path("annotations");
        patch.add(ANNOTATIONS, annotations.isObject() ? annotations : JSON.objectNode());
        patch.add(ANNOTATIONS.with(Keys.UUID), String.join(",", assignment.uuids()));
        patch.add(ANNOTATIONS.with(Keys.NODE), assignment.node());
        patch.add(ANNOTATIONS.with(Keys.RESERVATION_ID), assignment.reservation());
        patch.add(
                ANNOTATIONS.with(Keys.CDI_ASSIGNMENT),
                assignment.uuids().stream().map(format::name).collect(Collectors.joining(",")));
        if (pin == Pin.AFFINITY || gated(pod)) {
            return patch.add(JsonPointer.of("spec", "affinity"), affinity(pod, assignment.node()));
        }
        return patch.add(JsonPointer.of("spec", "nodeName"), assignment.node());
    }

    /** Kubernetes refuses a pod that has scheduling gates and a node; affinity is what such a pod can have. */
    private static boolean gated(ObjectNode pod) {
        return !pod.path("spec").path("schedulingGates").isEmpty();
    }

    /** The pod's own affinity, narrowed to this node: terms are alternatives, so each of them is narrowed. */
    private static ObjectNode affinity(ObjectNode pod, String node) {
        var affinity = pod.path("spec").path("affinity") instanceof ObjectNode own ? own.deepCopy() : JSON.objectNode();
        var required = affinity.withObject("/nodeAffinity").withObject("/" + REQUIRED);
        ArrayNode terms = required.withArray("/nodeSelectorTerms");
        var reinvoked = field(node);
        if (terms.isEmpty()) {
            terms.addObject();
        }
        for (JsonNode term : terms) {
            ArrayNode fields = ((ObjectNode) term).withArray("/matchFields");
            boolean there = false;
            for (var each : fields) {
                there |= each.equals(reinvoked);
            }
            if (!there) {
                fields.add(reinvoked);
            }
        }
        return affinity;
    }

    private static ObjectNode field(String node) {
        var field = JSON.objectNode().put("key", "metadata.name").put("operator", "In");
        field.putArray("values").add(node);
        return field;
    }
}
