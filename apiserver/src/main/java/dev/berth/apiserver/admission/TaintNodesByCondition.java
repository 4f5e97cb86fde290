package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** A new node takes no pods until the node lifecycle controller has seen it ready. */
record TaintNodesByCondition() implements Plugin {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    @Override
    public void admit(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (object == null || attributes.operation() != CREATE || !attributes.concerns("", "nodes")) return;
        if (!attributes.subresource().isEmpty()) return;
        ObjectNode spec = object.withObjectProperty("spec");
        for (JsonNode taint : spec.path("taints")) {
            boolean same = NOT_READY.equals(taint.path("key").asText());
            if (same && "NoSchedule".equals(taint.path("effect").asText())) return;
        }
        spec.withArrayProperty("taints").addObject().put("key", NOT_READY).put("effect", "NoSchedule");
    }
}
