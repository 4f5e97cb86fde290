package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.patch.ManagedEntry.Owner;
import dev.berth.apiserver.status.ApiException;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/** Fields that an applier wants to change and others own. */
final class ApplyConflict {
    private final SequencedMap<Owner, FieldSet> fields = new TreeMap<>(Comparator.comparing(Owner::manager)
            .thenComparing(Owner::operation)
            .thenComparing(Owner::version)
            .thenComparing(Owner::subresource));

    void add(Owner owner, FieldSet conflicting) {
        if (!conflicting.isEmpty()) fields.put(owner, conflicting);
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }

    ApplyConflict without(FieldSet allowed) {
        var rest = new ApplyConflict();
        fields.forEach((owner, set) -> rest.add(owner, set.minus(allowed)));
        return rest;
    }

    ApiException toException() {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        ArrayNode causes = details.putArray("causes");
        var lines = new StringBuilder();
        fields.forEach((owner, set) -> {
            lines.append(lines.isEmpty() ? "" : "\n")
                    .append("conflicts with ")
                    .append(owner.display())
                    .append(':');
            for (String path : set.paths()) {
                lines.append("\n- ").append(path);
                causes.addObject()
                        .put("reason", "FieldManagerConflict")
                        .put("message", "conflict with " + owner.display())
                        .put("field", path);
            }
        });
        return new ApiException(409, "Conflict", message(causes.size(), lines), details);
    }

    private String message(int count, StringBuilder lines) {
        if (count > 1) return "Apply failed with %d conflicts: %s".formatted(count, lines);
        var only = fields.firstEntry();
        List<String> paths = only.getValue().paths();
        return "Apply failed with 1 conflict: conflict with %s: %s"
                .formatted(only.getKey().display(), paths.getFirst());
    }
}
