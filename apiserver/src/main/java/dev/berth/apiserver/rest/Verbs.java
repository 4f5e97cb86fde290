package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.util.List;
import java.util.Optional;

/** The writing verbs, the same for clients and for the server's own controllers. */
final class Verbs {
    record Written(Stored stored, boolean created) {}

    private final Rooms rooms;
    private final Creation creation;
    private final Update update;
    private final Removal removal;

    Verbs(Rooms rooms) {
        this.rooms = rooms;
        this.creation = new Creation(rooms);
        this.update = new Update(rooms);
        this.removal = new Removal(rooms);
    }

    Stored create(ResourceType type, String namespace, ObjectNode object, Call call) {
        return creation.create(type, namespace, object, call);
    }

    Written replace(
            ResourceType type, String subresource, String namespace, String name, ObjectNode object, Call call) {
        if (Metadata.text(object, "name").isEmpty()) {
            throw ApiException.badRequest(
                    "the name of the object (%s based on URL) was undeterminable: name must be provided"
                            .formatted(name));
        }
        checkAddress(type, namespace, name, object);
        if (subresource.isEmpty()
                && Traits.createdByUpdate(type)
                && rooms.repository().find(type, namespace, name).isEmpty()) {
            checkUid(type, namespace, name, object, "");
            Metadata.of(object).put("name", name);
            Metadata.of(object).remove("resourceVersion");
            return new Written(creation.create(type, namespace, object, call), true);
        }
        // Each attempt needs a tree of its own: admission and rules change what they are given.
        Update.Edit edit = live -> {
            checkUid(type, namespace, name, object, Metadata.text(live, "uid"));
            return object.deepCopy();
        };
        Stored stored = update.update(type, subresource, namespace, name, edit, false, call);
        return new Written(stored, false);
    }

    Stored edit(ResourceType type, String subresource, String namespace, String name, Update.Edit edit, Call call) {
        return update.update(type, subresource, namespace, name, edit, false, call);
    }

    Stored amend(ResourceType type, String namespace, String name, Update.Edit edit, Call call) {
        return update.amend(type, namespace, name, edit, call);
    }

    /** Writes only the namespace's own finalizers; when none is left and it is being deleted, it is gone. */
    Stored finalizeNamespace(String name, ObjectNode wanted, Call call) {
        ResourceType type = rooms.catalog().byPath("", "v1", "namespaces").orElseThrow();
        checkAddress(type, "", name, wanted);
        return update.amend(
                type,
                "",
                name,
                live -> {
                    String version = Metadata.text(wanted, "resourceVersion");
                    if (!version.isEmpty() && !version.equals(Metadata.text(live, "resourceVersion"))) {
                        throw ApiException.modified(type, name);
                    }
                    JsonNode finalizers = wanted.path("spec").path("finalizers");
                    ObjectNode spec = live.get("spec") instanceof ObjectNode present ? present : live.putObject("spec");
                    if (finalizers.isEmpty()) spec.remove("finalizers");
                    else spec.set("finalizers", finalizers.deepCopy());
                    return live;
                },
                call);
    }

    Written patch(ResourceType type, String subresource, String namespace, String name, PatchRequest patch, Call call) {
        if (patch.kind() == PatchRequest.Kind.APPLY) return apply(type, subresource, namespace, name, patch, call);
        Stored stored = update.update(
                type,
                subresource,
                namespace,
                name,
                live -> {
                    ObjectNode next = patch.applyTo(live, type, rooms.decoder(), call);
                    checkAddress(type, namespace, name, next);
                    return next;
                },
                false,
                call);
        return new Written(stored, false);
    }

    private Written apply(
            ResourceType type, String subresource, String namespace, String name, PatchRequest patch, Call call) {
        ObjectNode applied = patch.applied(rooms.decoder(), type);
        checkAddress(type, namespace, name, applied);
        var manager = new FieldManager(
                call.manager(), type, subresource, rooms.clock().instant());
        Optional<Stored> current = rooms.repository().find(type, namespace, name);
        if (current.isEmpty() && subresource.isEmpty()) {
            ObjectNode object = applied.deepCopy();
            Metadata.of(object).put("name", name);
            if (type.namespaced()) Metadata.of(object).put("namespace", namespace);
            Metadata.of(object).remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
            ObjectNode next = completed(manager.apply(null, object, patch.force()), type);
            rooms.rules().of(type).applyDefaults(next);
            return new Written(creation.admitAndStore(type, namespace, next, call), true);
        }
        Stored stored = update.update(
                type,
                subresource,
                namespace,
                name,
                live -> completed(manager.apply(live, applied.deepCopy(), patch.force()), type),
                true,
                call);
        return new Written(stored, false);
    }

    /** Defaults of a definition come after the apply: they belong to nobody. */
    private ObjectNode completed(ObjectNode object, ResourceType type) {
        if (!rooms.catalog().isCustom(type)) return object;
        return rooms.decoder().patched(object, type, List.of()).object();
    }

    Removal.Outcome delete(ResourceType type, String namespace, String name, DeleteOptions options, Call call) {
        return removal.delete(type, namespace, name, options, call);
    }

    Listing.Page deleteAll(ResourceType type, Selection selection, Query query, DeleteOptions options, Call call) {
        Table table = rooms.repository().table(type);
        Listing.Page page = new Listing(rooms.repository().store()).list(table, selection, query);
        for (Stored each : page.items()) {
            ObjectNode tree = Json.tree(type, each);
            try {
                removal.delete(type, Metadata.text(tree, "namespace"), Metadata.text(tree, "name"), options, call);
            } catch (ApiException gone) {
                if (gone.code() != 404) throw gone;
            }
        }
        return page;
    }

    /** A client that names a uid means the object that it read, and not one that has taken its place. */
    private static void checkUid(ResourceType type, String namespace, String name, ObjectNode object, String found) {
        String meant = Metadata.text(object, "uid");
        if (meant.isEmpty() || meant.equals(found)) return;
        throw ApiException.conflict(
                type,
                name,
                "StorageError: invalid object, Code: 4, Key: /registry/%s/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s"
                        .formatted(type.plural(), namespace.isEmpty() ? name : namespace + "/" + name, meant, found));
    }

    /** What the object says of its place must be what the path says. */
    private static void checkAddress(ResourceType type, String namespace, String name, ObjectNode object) {
        String ownName = Metadata.text(object, "name");
        if (ownName.isEmpty()) {
            Metadata.of(object).put("name", name);
        } else if (!ownName.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)".formatted(ownName, name));
        }
        if (!type.namespaced()) return;
        String ownNamespace = Metadata.text(object, "namespace");
        if (ownNamespace.isEmpty()) {
            Metadata.of(object).put("namespace", namespace);
        } else if (!ownNamespace.equals(namespace)) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }
}
