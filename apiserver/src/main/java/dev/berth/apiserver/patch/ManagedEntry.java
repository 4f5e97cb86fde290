package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Optional;

/**
 * One entry of {@code metadata.managedFields}: what one manager owns.
 *
 * @param time empty where Kubernetes writes none
 */
record ManagedEntry(Owner owner, String apiVersion, String time, FieldSet fields) {
    static final String APPLY = "Apply";
    static final String UPDATE = "Update";

    /** In the order of the wire: the operation first, then the time to the second. */
    static final Comparator<ManagedEntry> ORDER = Comparator.comparing((ManagedEntry entry) -> entry.owner.operation)
            .thenComparing(ManagedEntry::time)
            .thenComparing(entry -> entry.owner.manager)
            .thenComparing(ManagedEntry::apiVersion)
            .thenComparing(entry -> entry.owner.subresource);

    /**
     * Who owns: entries of one owner are one entry.
     *
     * @param version the apiVersion for updates; empty for applies, which keep their entry when the version changes
     */
    record Owner(String manager, String operation, String version, String subresource) {
        static Owner applying(String manager, String subresource) {
            return new Owner(manager, APPLY, "", subresource);
        }

        static Owner updating(String manager, String version, String subresource) {
            return new Owner(manager, UPDATE, version, subresource);
        }

        boolean applies() {
            return operation.equals(APPLY);
        }

        /** As conflict messages name it. */
        String display() {
            String name = '"' + manager + '"';
            if (!subresource.isEmpty()) name += " with subresource \"" + subresource + '"';
            return applies() ? name : name + " using " + version;
        }
    }

    ManagedEntry with(FieldSet other) {
        return new ManagedEntry(owner, apiVersion, time, other);
    }

    ObjectNode encode() {
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.put("manager", owner.manager).put("operation", owner.operation).put("apiVersion", apiVersion);
        if (!time.isEmpty()) entry.put("time", time);
        entry.put("fieldsType", "FieldsV1").set("fieldsV1", fields.tree());
        if (!owner.subresource.isEmpty()) entry.put("subresource", owner.subresource);
        return entry;
    }

    /** Empty when the entry is none that Kubernetes would take. */
    static Optional<ManagedEntry> decode(JsonNode node) {
        String operation = node.path("operation").asText();
        String apiVersion = node.path("apiVersion").asText();
        boolean known = operation.equals(APPLY) || operation.equals(UPDATE);
        if (!known || apiVersion.isEmpty() || !node.path("fieldsType").asText().equals("FieldsV1")) {
            return Optional.empty();
        }
        JsonNode fields = node.path("fieldsV1");
        if (fields.isMissingNode() || fields.isNull()) fields = FieldSet.node();
        if (!(fields instanceof ObjectNode tree) || !isValid(tree)) return Optional.empty();
        String manager = node.path("manager").asText();
        String subresource = node.path("subresource").asText();
        Owner owner = operation.equals(APPLY)
                ? Owner.applying(manager, subresource)
                : Owner.updating(manager, apiVersion, subresource);
        return Optional.of(new ManagedEntry(owner, apiVersion, node.path("time").asText(""), new FieldSet(tree)));
    }

    private static boolean isValid(ObjectNode tree) {
        for (var child : tree.properties()) {
            if (!PathElement.isValid(child.getKey())) return false;
            if (!(child.getValue() instanceof ObjectNode inner) || !isValid(inner)) return false;
        }
        return true;
    }
}
