package dev.berth.apiserver.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;

/**
 * The annotation in which kubectl's client-side apply remembers what it applied. Whoever goes over to server-side apply
 * with kubectl meets no conflict with its own earlier self, and the annotation is kept in step.
 */
final class LastApplied {
    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final int LARGEST_ANNOTATIONS = 256 * 1024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private LastApplied() {}

    /** The fields of the annotation that still have the value it gives them. */
    static FieldSet ownedByClient(ObjectNode live, FieldManager manager) {
        String text = live.path("metadata").path("annotations").path(ANNOTATION).asText("");
        if (!manager.name().equals("kubectl") || text.isEmpty()) return FieldSet.empty();
        try {
            if (!(MAPPER.readTree(text) instanceof ObjectNode last)) return FieldSet.empty();
            if (!last.path("apiVersion").asText().equals(manager.type().apiVersion())) return FieldSet.empty();
            Schema schema = manager.type().schema();
            return AppliedFields.of(last, schema)
                    .minus(Difference.changed(live, last, schema))
                    .minus(Difference.changed(last, live, schema));
        } catch (JsonProcessingException _) {
            return FieldSet.empty();
        }
    }

    static void refresh(ObjectNode object, ObjectNode applied, FieldManager manager) {
        JsonNode annotations = object.path("metadata").path("annotations");
        boolean remembered = !annotations.path(ANNOTATION).asText("").isEmpty();
        if (!manager.name().equals("kubectl") || !remembered) return;
        ObjectNode copy = applied.deepCopy();
        if (copy.path("metadata").path("annotations") instanceof ObjectNode inner) inner.remove(ANNOTATION);
        String text = copy + "\n";
        if (text.length() <= LARGEST_ANNOTATIONS) ((ObjectNode) annotations).put(ANNOTATION, text);
    }
}
