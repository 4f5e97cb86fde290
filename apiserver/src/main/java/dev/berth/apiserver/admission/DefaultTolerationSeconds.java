package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;
import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Every pod stays five minutes on a node that is not ready or not reachable, unless it says otherwise. */
record DefaultTolerationSeconds() implements Plugin {
    private static final int SECONDS = 300;

    @Override
    public void admit(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        boolean written = attributes.operation() == CREATE || attributes.operation() == UPDATE;
        if (object == null || !written || !attributes.concerns("", "pods")) return;
        if (!attributes.subresource().isEmpty() || !(object.get("spec") instanceof ObjectNode spec)) return;
        boolean notReady = tolerates(spec, "node.kubernetes.io/not-ready");
        boolean unreachable = tolerates(spec, "node.kubernetes.io/unreachable");
        if (!notReady) add(spec, "node.kubernetes.io/not-ready");
        if (!unreachable) add(spec, "node.kubernetes.io/unreachable");
    }

    private static boolean tolerates(ObjectNode spec, String taint) {
        for (JsonNode toleration : spec.path("tolerations")) {
            String key = toleration.path("key").asText();
            String effect = toleration.path("effect").asText();
            boolean keyFits = key.isEmpty() || key.equals(taint);
            if (keyFits && (effect.isEmpty() || effect.equals("NoExecute"))) return true;
        }
        return false;
    }

    private static void add(ObjectNode spec, String taint) {
        spec.withArrayProperty("tolerations")
                .addObject()
                .put("key", taint)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", SECONDS);
    }
}
