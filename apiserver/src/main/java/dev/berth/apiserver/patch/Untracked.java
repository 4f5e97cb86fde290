package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.List;
import java.util.Set;

/** The fields that a write to an endpoint cannot change and therefore never owns. */
record Untracked(List<String> fields) {
    private static final Set<String> IDENTITY = Set.of(
            "f:name",
            "f:namespace",
            "f:creationTimestamp",
            "f:selfLink",
            "f:uid",
            "f:clusterName",
            "f:generation",
            "f:managedFields",
            "f:resourceVersion");

    private static final Untracked NOTHING = new Untracked(List.of());
    private static final Untracked STATUS = new Untracked(List.of("status"));
    private static final Untracked SPEC = new Untracked(List.of("spec"));
    private static final Untracked SPEC_AND_METADATA = new Untracked(List.of("spec", "metadata"));

    static Untracked of(ResourceType type, String subresource) {
        if (subresource.equals("status")) return EmptyObject.isCustom(type) ? SPEC_AND_METADATA : SPEC;
        return subresource.isEmpty() && type.hasStatus() ? STATUS : NOTHING;
    }

    FieldSet filter(FieldSet set) {
        FieldSet result = set;
        for (String field : fields) result = result.without(field);
        return result;
    }

    /** Without what names an object: nobody owns that. */
    static FieldSet withoutIdentity(FieldSet fields) {
        ObjectNode result = FieldSet.node();
        fields.tree().properties().forEach(child -> {
            String key = child.getKey();
            if (key.equals("f:apiVersion") || key.equals("f:kind")) return;
            JsonNode kept = key.equals("f:metadata") ? metadata(child.getValue()) : child.getValue();
            if (!key.equals("f:metadata") || !kept.isEmpty()) result.set(key, kept);
        });
        return new FieldSet(result);
    }

    private static ObjectNode metadata(JsonNode fields) {
        ObjectNode kept = FieldSet.node();
        fields.properties().forEach(child -> {
            String key = child.getKey();
            if (!key.equals(".") && !IDENTITY.contains(key)) kept.set(key, child.getValue());
        });
        return kept;
    }
}
