package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.rules.KindRules;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How an object changes: the way of a PUT or a PATCH, from what is stored to what is stored next. */
final class Update {
    private static final int MOST_TRIES = 64;

    /** Makes the object that the client wants of the one that is there; called again when another writer was faster. */
    interface Edit {
        ObjectNode next(ObjectNode live);
    }

    private final Rooms rooms;

    Update(Rooms rooms) {
        this.rooms = rooms;
    }

    /** @param managed true when the edit itself has recorded who manages what, as server-side apply does */
    Stored update(
            ResourceType type,
            String subresource,
            String namespace,
            String name,
            Edit edit,
            boolean managed,
            Call call) {
        Store store = rooms.repository().store();
        Table table = rooms.repository().table(type);
        String key = Repository.key(type, namespace, name);
        for (int attempt = 1; attempt <= MOST_TRIES; attempt++) {
            Stored current = store.get(table, key).orElseThrow(() -> ApiException.notFound(type, name));
            ObjectNode live = Json.tree(type, current);
            ObjectNode next = edit.next(live.deepCopy());
            checkVersion(type, name, current, next);
            next = prepare(type, subresource, namespace, name, live, next, managed, call);
            Optional<Stored> done = commit(type, table, key, current, live, next, call);
            if (done.isPresent()) return done.get();
        }
        throw ApiException.modified(type, name);
    }

    /**
     * Changes the object past defaults, rules and managed fields, as the server itself does: a binding, a finalizer.
     */
    Stored amend(ResourceType type, String namespace, String name, Edit edit, Call call) {
        Store store = rooms.repository().store();
        Table table = rooms.repository().table(type);
        String key = Repository.key(type, namespace, name);
        for (int attempt = 1; attempt <= MOST_TRIES; attempt++) {
            Stored current = store.get(table, key).orElseThrow(() -> ApiException.notFound(type, name));
            ObjectNode live = Json.tree(type, current);
            ObjectNode next = edit.next(live.deepCopy());
            Optional<Stored> done = commit(type, table, key, current, live, next, call);
            if (done.isPresent()) return done.get();
        }
        throw ApiException.modified(type, name);
    }

    /** Who names no version means whichever is there, except of kinds that insist on one. */
    private static void checkVersion(ResourceType type, String name, Stored current, ObjectNode next) {
        String wanted = Metadata.text(next, "resourceVersion");
        String found = Long.toString(current.revision());
        if (wanted.isEmpty() || wanted.equals("0")) {
            if (Traits.updatedOnlyByVersion(type)) throw versionMissing(type, name);
            Metadata.of(next).put("resourceVersion", found);
        } else if (!wanted.chars().allMatch(Character::isDigit)) {
            throw new ApiException(
                    500, "", "strconv.ParseUint: parsing \"%s\": invalid syntax".formatted(wanted), null);
        } else if (!wanted.equals(found)) {
            throw ApiException.modified(type, name);
        }
    }

    /** Here Kubernetes names the resource where it names the kind elsewhere. */
    private static ApiException versionMissing(ResourceType type, String name) {
        var error = FieldError.invalid("metadata.resourceVersion", "0", "must be specified for an update");
        ObjectNode details = JsonNodeFactory.instance.objectNode().put("name", name);
        if (!type.group().isEmpty()) details.put("group", type.group());
        details.put("kind", type.plural());
        details.putArray("causes")
                .addObject()
                .put("reason", error.reason())
                .put("message", error.message())
                .put("field", error.field());
        return new ApiException(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s: %s".formatted(type.qualifiedPlural(), name, error.field(), error.message()),
                details);
    }

    private ObjectNode prepare(
            ResourceType type,
            String subresource,
            String namespace,
            String name,
            ObjectNode live,
            ObjectNode wanted,
            boolean managed,
            Call call) {
        KindRules rules = rooms.rules().of(type);
        ObjectNode next = wanted;
        Metadata.carryOver(next, live);
        rules.applyDefaults(next);
        if (!managed) {
            new FieldManager(call.manager(), type, subresource, rooms.clock().instant()).recordUpdate(live, next);
        }
        var attributes = new AdmissionAttributes(
                Operation.UPDATE, type, subresource, namespace, name, live, call.dryRun(), call.user(), call.options());
        ObjectNode admitted = rooms.admission().mutate(attributes, next, call.warnings());
        if (admitted != null) next = admitted;
        boolean status = subresource.equals("status");
        if (status) rules.prepareForStatusUpdate(next, live);
        else rules.prepareForUpdate(next, live);
        List<FieldError> errors =
                new ArrayList<>(status ? rules.validateStatusUpdate(next, live) : rules.validateUpdate(next, live));
        errors.addAll(rooms.custom().validate(type, next, live));
        if (!errors.isEmpty()) throw ApiException.invalid(type, name, errors);
        rooms.admission().validate(attributes, next, call.warnings());
        return next;
    }

    private Optional<Stored> commit(
            ResourceType type, Table table, String key, Stored current, ObjectNode live, ObjectNode next, Call call) {
        Store store = rooms.repository().store();
        Metadata.of(next).set("resourceVersion", live.path("metadata").path("resourceVersion"));
        if (FieldManager.isUnchanged(live, next)) return Optional.of(current);
        Draft draft = rooms.repository().draft(type, next);
        if (call.dryRun()) return Optional.of(draft.preview(current.revision()));
        if (Removal.isDue(type, next)) {
            return store.remove(table, key, current.revision()).map(_ -> draft.preview(current.revision()));
        }
        return store.replace(table, key, current.revision(), draft);
    }
}
