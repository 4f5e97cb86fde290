package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.time.Instant;
import java.util.Optional;

/** How an object goes: at once, after its finalizers, or after a pod's grace period. */
final class Removal {
    private static final int MOST_TRIES = 64;

    /** What became of the object: what a client is shown, and whether it is gone. */
    record Outcome(Stored shown, boolean gone) {}

    private final Rooms rooms;

    Removal(Rooms rooms) {
        this.rooms = rooms;
    }

    /** True when nothing holds an object that is being deleted any longer. */
    static boolean isDue(ResourceType type, JsonNode object) {
        if (!Metadata.deleting(object) || Metadata.hasFinalizers(object)) return false;
        if (type.storageKey().equals("namespaces")) {
            return object.path("spec").path("finalizers").isEmpty();
        }
        return object.path("metadata").path("deletionGracePeriodSeconds").asLong(0) == 0;
    }

    Outcome delete(ResourceType type, String namespace, String name, DeleteOptions options, Call call) {
        Store store = rooms.repository().store();
        Table table = rooms.repository().table(type);
        String key = Repository.key(type, namespace, name);
        for (int attempt = 1; attempt <= MOST_TRIES; attempt++) {
            Stored current = store.get(table, key).orElseThrow(() -> ApiException.notFound(type, name));
            Optional<Outcome> outcome = attempt(type, namespace, name, table, key, current, options, call);
            if (outcome.isPresent()) return outcome.get();
        }
        throw ApiException.modified(type, name);
    }

    private Optional<Outcome> attempt(
            ResourceType type,
            String namespace,
            String name,
            Table table,
            String key,
            Stored current,
            DeleteOptions options,
            Call call) {
        Store store = rooms.repository().store();
        ObjectNode live = Json.tree(type, current);
        options.check(type, name, current);
        var attributes = new AdmissionAttributes(
                Operation.DELETE, type, "", namespace, name, live, call.dryRun(), call.user(), options.toTree());
        rooms.admission().mutate(attributes, null, call.warnings());
        rooms.admission().validate(attributes, null, call.warnings());
        ObjectNode next = live.deepCopy();
        boolean changed = mark(type, next, options);
        if (isDue(type, next)) {
            if (call.dryRun()) return Optional.of(new Outcome(current, true));
            if (!type.storageKey().equals("pods")) {
                return store.remove(table, key, current.revision()).map(shown -> new Outcome(shown, true));
            }
            // Of a pod watchers see first that it is being deleted and then that it is gone.
            return store.replace(
                            table, key, current.revision(), rooms.repository().draft(type, next))
                    .flatMap(marked -> store.remove(table, key, marked.revision()))
                    .map(shown -> new Outcome(shown, true));
        }
        if (!changed) return Optional.of(new Outcome(current, false));
        Draft draft = rooms.repository().draft(type, next);
        if (call.dryRun()) return Optional.of(new Outcome(draft.preview(current.revision()), false));
        return store.replace(table, key, current.revision(), draft).map(shown -> new Outcome(shown, false));
    }

    /** Writes into the object that it is being deleted; false when that was said before in the same words. */
    private boolean mark(ResourceType type, ObjectNode object, DeleteOptions options) {
        boolean changed = options.applyPropagation(object);
        if (type.kind().equals("CustomResourceDefinition") && !Metadata.deleting(object)) {
            Metadata.addFinalizer(object, Definitions.FINALIZER);
        }
        ObjectNode metadata = Metadata.of(object);
        Instant now = rooms.clock().instant();
        long grace = grace(type, object, options);
        if (!Metadata.deleting(object)) {
            metadata.put("deletionTimestamp", Metadata.time(now.plusSeconds(grace)));
            Metadata.bumpGeneration(object);
            if (!type.storageKey().equals("namespaces")) {
                metadata.put("deletionGracePeriodSeconds", grace);
            } else {
                ObjectNode status =
                        object.get("status") instanceof ObjectNode present ? present : object.putObject("status");
                status.put("phase", "Terminating");
            }
            return true;
        }
        long before = metadata.path("deletionGracePeriodSeconds").asLong(0);
        if (options.gracePeriodSeconds() < 0 || grace >= before) return changed;
        Instant end = Instant.parse(metadata.path("deletionTimestamp").asText());
        metadata.put("deletionTimestamp", Metadata.time(end.minusSeconds(before - grace)));
        metadata.put("deletionGracePeriodSeconds", grace);
        return true;
    }

    /** Only pods that a node may be running are given time. */
    private static long grace(ResourceType type, JsonNode object, DeleteOptions options) {
        if (!type.storageKey().equals("pods")) return 0;
        if (object.path("spec").path("nodeName").asText("").isEmpty()) return 0;
        String phase = object.path("status").path("phase").asText("");
        if (phase.equals("Succeeded") || phase.equals("Failed")) return 0;
        if (options.gracePeriodSeconds() >= 0) return options.gracePeriodSeconds();
        long own = object.path("spec").path("terminationGracePeriodSeconds").asLong(30);
        return own < 0 ? 1 : own;
    }

    /** The Status that stands for the object in the reply, for kinds whose deletion does not show it. */
    static ObjectNode success(ResourceType type, String name, String uid) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", name);
        if (!type.group().isEmpty()) details.put("group", type.group());
        details.put("kind", type.plural()).put("uid", uid);
        return status;
    }
}
