package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.ManagedEntry.Owner;
import dev.berth.apiserver.status.ApiException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who writes: the name that goes into {@code metadata.managedFields}. Kubernetes asks it on the decoded and defaulted
 * object, before admission and before the kind's own rules, so that what those set belongs to nobody.
 *
 * @param name the {@code fieldManager} parameter, or see {@link #nameFrom}
 * @param subresource empty for the object itself
 */
public record FieldManager(String name, ResourceType type, String subresource, Instant now) {
    private static final int LONGEST_NAME = 128;

    /** The manager's name when the request gives none: what comes before the first slash of the user agent. */
    public static String nameFrom(String userAgent) {
        int slash = userAgent.indexOf('/');
        String word = slash < 0 ? userAgent : userAgent.substring(0, slash);
        var printable = new StringBuilder(word.length());
        for (int i = 0; i < word.length() && i < LONGEST_NAME; i++) {
            char c = word.charAt(i);
            if (!Character.isISOControl(c)) printable.append(c);
        }
        return printable.isEmpty() ? "unknown" : printable.toString();
    }

    /**
     * Records in {@code next.metadata.managedFields} what this manager changed from {@code live} by an ordinary write.
     *
     * @param live null for a create
     */
    public void recordUpdate(@Nullable ObjectNode live, ObjectNode next) {
        ManagedFields managed = managedBefore(live, next);
        removeManagedFields(next);
        if (managed.isEmpty() && live != null) {
            // Kubernetes does not begin to track an object that was not tracked from its creation.
            return;
        }
        Untracked untracked = Untracked.of(type, subresource);
        FieldSet changed;
        if (live == null) {
            changed = untracked.filter(Difference.changed(EmptyObject.of(type), next, type.schema()));
        } else {
            changed = untracked.filter(Difference.changed(live, next, type.schema()));
            FieldSet removed = untracked.filter(Difference.removed(live, next, type.schema()));
            FieldSet lost = changed.union(removed);
            if (!lost.isEmpty()) managed.changeOthers(NOBODY, fields -> fields.minus(lost));
        }
        FieldSet mine = Untracked.withoutIdentity(changed);
        if (!mine.isEmpty()) {
            Owner owner = Owner.updating(managerName(), type.apiVersion(), subresource);
            FieldSet before = managed.find(owner).map(ManagedEntry::fields).orElse(FieldSet.empty());
            managed.put(new ManagedEntry(owner, type.apiVersion(), time(), mine.union(before)));
        }
        managed.limitUpdaters();
        managed.writeTo(next);
    }

    /**
     * Server-side apply: the object to go on with, {@code managedFields} written.
     *
     * @param live null when the object does not exist yet
     * @param applied the decoded request body
     * @throws ApiException 409 when another manager owns a field with another value and {@code force} is false
     */
    public ObjectNode apply(@Nullable ObjectNode live, ObjectNode applied, boolean force) {
        requireApplicable(applied);
        return new Apply(this, live, applied).run(force);
    }

    /** The parameter that server-side apply cannot do without. */
    public static ApiException missingName() {
        var details = FieldSet.node().put("group", "meta.k8s.io").put("kind", "PatchOptions");
        details.putArray("causes")
                .addObject()
                .put("reason", "FieldValueRequired")
                .put("message", "Required value: is required for apply patch")
                .put("field", "fieldManager");
        return new ApiException(
                422,
                "Invalid",
                "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch",
                details);
    }

    /**
     * Whether a write would change nothing but the times in {@code managedFields}; it is then not to be written at all.
     * Called on the object as it would be stored.
     */
    public static boolean isUnchanged(ObjectNode live, ObjectNode next) {
        if (live.size() != next.size()) return false;
        for (var field : live.properties()) {
            JsonNode other = next.get(field.getKey());
            if (other == null) return false;
            boolean same = field.getKey().equals("metadata")
                    ? sameMetadata(field.getValue(), other)
                    : Scalars.same(field.getValue(), other);
            if (!same) return false;
        }
        return true;
    }

    private static boolean sameMetadata(JsonNode live, JsonNode next) {
        if (live.size() != next.size()) return false;
        for (var field : live.properties()) {
            JsonNode other = next.get(field.getKey());
            if (other == null) return false;
            boolean same = field.getKey().equals("managedFields")
                    ? sameBesidesTimes(field.getValue(), other)
                    : Scalars.same(field.getValue(), other);
            if (!same) return false;
        }
        return true;
    }

    private static boolean sameBesidesTimes(JsonNode live, JsonNode next) {
        if (live.size() != next.size()) return false;
        var left = ManagedFields.of(wrap(live));
        var right = ManagedFields.of(wrap(next));
        return left.all().stream()
                .allMatch(entry -> right.find(entry.owner())
                        .filter(other -> other.apiVersion().equals(entry.apiVersion()))
                        .filter(other -> Scalars.same(
                                other.fields().tree(), entry.fields().tree()))
                        .isPresent());
    }

    private static ObjectNode wrap(JsonNode managedFields) {
        ObjectNode object = FieldSet.node();
        object.putObject("metadata").set("managedFields", managedFields);
        return object;
    }

    static final Owner NOBODY = new Owner("", "", "", "");

    String managerName() {
        return name.isEmpty() ? "unknown" : name;
    }

    /** Kubernetes writes no time for a scale. */
    String time() {
        return subresource.equals("scale")
                ? ""
                : now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A client may change the entries by sending others, or drop all tracking by sending an empty list. */
    private ManagedFields managedBefore(@Nullable ObjectNode live, ObjectNode next) {
        if (subresource.isEmpty()) {
            JsonNode sent = next.path("metadata").path("managedFields");
            boolean reset = sent.isArray()
                    && (sent.isEmpty()
                            ? !EmptyObject.isCustom(type)
                            : sent.size() == 1 && sent.path(0).isEmpty());
            if (reset) return new ManagedFields();
            ManagedFields managed = ManagedFields.of(next);
            if (!managed.isEmpty()) return managed;
        }
        return ManagedFields.of(live);
    }

    private void requireApplicable(ObjectNode applied) {
        String apiVersion = applied.path("apiVersion").asText("");
        String kind = applied.path("kind").asText("");
        if (!apiVersion.equals(type.apiVersion()) || !kind.equals(type.kind())) {
            String version = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw ApiException.badRequest("invalid object type: %s, Kind=%s".formatted(version, kind));
        }
        if (applied.path("metadata").hasNonNull("managedFields")) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
    }

    static void removeManagedFields(ObjectNode object) {
        if (object.get("metadata") instanceof ObjectNode metadata) metadata.remove("managedFields");
    }
}
