package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what lost all its owners, first what blocks an owner that wants to go last, and cuts the ties of what is to
 * stay behind. Looks at every resource that can be watched and deleted.
 */
final class GarbageCollector implements Controller {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";
    private static final Set<String> NEVER_OWNED = Set.of("events");
    private static final Key RESCAN = new Key("", "rescan the catalog");
    private static final Duration RESCAN_EVERY = Duration.ofSeconds(2);

    /** An object, wherever it is stored. */
    private record Place(Resource resource, Key key) {}

    private final Cluster cluster;
    private final Catalog catalog;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> dependents = new ConcurrentHashMap<>();
    private final Set<Resource> followed = new HashSet<>();

    GarbageCollector(Cluster cluster, Catalog catalog) {
        this.cluster = cluster;
        this.catalog = catalog;
        followNew();
        queue.addAfter(RESCAN, RESCAN_EVERY);
    }

    @Override
    public String name() {
        return "garbage-collector-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    /** Custom resources come while the server runs. */
    private void followNew() {
        Set<String> stored = new HashSet<>();
        for (ResourceType type : catalog.all()) {
            if (!type.verbs().contains("watch") || !type.verbs().contains("delete")) continue;
            if (NEVER_OWNED.contains(type.plural()) || !stored.add(type.storageKey())) continue;
            var resource = new Resource(type.group(), type.version(), type.plural());
            if (followed.add(resource)) {
                cluster.metadata(resource).follow((before, now) -> changed(resource, before, now));
            }
        }
    }

    private void changed(Resource resource, @Nullable ObjectNode before, @Nullable ObjectNode now) {
        if (now != null) known(resource, now);
        if (before == null) return;
        // What still holds is left in place: a reader must never find a dependent missing that is there.
        String uid = Fields.uid(before);
        List<String> kept = now != null && Fields.uid(now).equals(uid) ? owners(now) : List.of();
        for (String owner : owners(before)) if (!kept.contains(owner)) forget(owner, uid);
        if (now != null && Fields.uid(now).equals(uid)) return;
        places.remove(uid);
        dependents.getOrDefault(uid, Set.of()).forEach(this::enqueue);
        // A foreground deletion of the owner waits for this one to be gone.
        owners(before).forEach(this::enqueue);
    }

    private void known(Resource resource, ObjectNode now) {
        String uid = Fields.uid(now);
        places.put(uid, new Place(resource, Key.of(now)));
        List<String> owners = owners(now);
        owners.forEach(owner -> dependents
                .computeIfAbsent(owner, _ -> ConcurrentHashMap.newKeySet())
                .add(uid));
        boolean ends =
                Fields.deleting(now) && (Fields.hasFinalizer(now, FOREGROUND) || Fields.hasFinalizer(now, ORPHAN));
        if (ends || !owners.isEmpty()) enqueue(uid);
    }

    private void forget(String owner, String dependent) {
        dependents.computeIfPresent(owner, (_, uids) -> {
            uids.remove(dependent);
            return uids.isEmpty() ? null : uids;
        });
    }

    private void enqueue(String uid) {
        queue.add(new Key("", uid));
    }

    private static List<String> owners(JsonNode object) {
        List<String> owners = new ArrayList<>();
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            owners.add(owner.path("uid").asText());
        }
        return owners;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        if (key.equals(RESCAN)) {
            followNew();
            return Optional.of(RESCAN_EVERY);
        }
        Place place = places.get(key.name());
        if (place == null) return Optional.empty();
        ObjectNode object = cluster.metadata(place.resource()).get(place.key()).orElse(null);
        if (object == null || !Fields.uid(object).equals(key.name())) return Optional.empty();
        if (Fields.deleting(object)) {
            if (Fields.hasFinalizer(object, ORPHAN)) orphan(place, object);
            else if (Fields.hasFinalizer(object, FOREGROUND)) foreground(place, object);
            return Optional.empty();
        }
        collect(place, object);
        return Optional.empty();
    }

    private void orphan(Place place, ObjectNode owner) {
        String uid = Fields.uid(owner);
        for (String each : Set.copyOf(dependents.getOrDefault(uid, Set.of()))) {
            Place at = places.get(each);
            if (at == null) continue;
            cluster.metadata(at.resource())
                    .get(at.key())
                    .ifPresent(dependent -> cluster.modify(at.resource(), dependent, live -> cut(live, Set.of(uid))));
        }
        cluster.modify(place.resource(), owner, live -> Fields.removeFinalizer(live, ORPHAN));
    }

    private void foreground(Place place, ObjectNode owner) {
        boolean blocked = false;
        for (String each : Set.copyOf(dependents.getOrDefault(Fields.uid(owner), Set.of()))) {
            Place at = places.get(each);
            ObjectNode dependent = at == null
                    ? null
                    : cluster.metadata(at.resource()).get(at.key()).orElse(null);
            if (at == null || dependent == null) continue;
            blocked |= blocks(dependent, Fields.uid(owner));
            if (!Fields.deleting(dependent)) collect(at, dependent);
        }
        if (!blocked) cluster.modify(place.resource(), owner, live -> Fields.removeFinalizer(live, FOREGROUND));
    }

    private static boolean blocks(JsonNode dependent, String owner) {
        for (JsonNode each : dependent.path("metadata").path("ownerReferences")) {
            boolean ours = each.path("uid").asText().equals(owner);
            if (ours && each.path("blockOwnerDeletion").asBoolean()) return true;
        }
        return false;
    }

    /** Deletes an object when none of its owners is left, or only such as wait for it to go first. */
    private void collect(Place place, ObjectNode object) {
        Set<String> gone = new HashSet<>();
        boolean solid = false;
        boolean waitedFor = false;
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            ObjectNode owner = owner(object, reference);
            if (owner == null) gone.add(reference.path("uid").asText());
            else if (Fields.deleting(owner) && Fields.hasFinalizer(owner, FOREGROUND)) waitedFor = true;
            else solid = true;
        }
        if (solid) {
            if (!gone.isEmpty()) cluster.modify(place.resource(), object, live -> cut(live, gone));
            return;
        }
        if (!waitedFor && gone.isEmpty()) return;
        String policy = waitedFor && hasDependents(object) ? "Foreground" : "Background";
        cluster.delete(place.resource(), object, Deletion.of(Fields.uid(object)).propagating(policy));
    }

    private boolean hasDependents(ObjectNode object) {
        return !dependents.getOrDefault(Fields.uid(object), Set.of()).isEmpty();
    }

    private @Nullable ObjectNode owner(ObjectNode dependent, JsonNode reference) {
        String uid = reference.path("uid").asText();
        Place known = places.get(uid);
        if (known != null)
            return cluster.metadata(known.resource()).get(known.key()).orElse(null);
        // Not seen: it may be newer than what the watch has told, so ask before anything is deleted.
        ResourceType type = catalog.byKind(
                        reference.path("apiVersion").asText(),
                        reference.path("kind").asText())
                .orElse(null);
        if (type == null) return dependent;
        String namespace = type.namespaced() ? Fields.namespace(dependent) : "";
        return cluster.api()
                .get(
                        new Resource(type.group(), type.version(), type.plural()),
                        namespace,
                        reference.path("name").asText())
                .filter(found -> Fields.uid(found).equals(uid))
                .orElse(null);
    }

    private static boolean cut(ObjectNode object, Set<String> owners) {
        if (!(object.path("metadata").path("ownerReferences") instanceof ArrayNode references)) return false;
        boolean changed = false;
        for (int i = references.size() - 1; i >= 0; i--) {
            if (owners.contains(references.get(i).path("uid").asText())) {
                references.remove(i);
                changed = true;
            }
        }
        if (references.isEmpty()) ((ObjectNode) object.get("metadata")).remove("ownerReferences");
        return changed;
    }
}
