package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one watch has told of a resource so far, plus what this process itself wrote since: a controller that has just
 * created a pod sees it here at once, and never creates it twice. The objects are shared and only read.
 */
final class Mirror implements Api.Listener {
    /** Told of every change, on the watch's thread or on the writer's. */
    interface Follower {
        /** @param before null for what is new, {@code now} null for what is gone */
        void changed(@Nullable ObjectNode before, @Nullable ObjectNode now);
    }

    private static final int MOST_GONE = 10_000;

    private final Slim slim;
    private final Map<Key, ObjectNode> objects = new ConcurrentHashMap<>();
    private final Map<String, Set<Key>> byController = new ConcurrentHashMap<>();
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final CountDownLatch synced = new CountDownLatch(1);

    /** The latest deleted uids: a write of ours that comes in late must not bring back what is gone. */
    private final Map<String, Boolean> gone = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_GONE;
        }
    };

    /** @param slim drops what nobody reads, for memory's sake */
    Mirror(Slim slim) {
        this.slim = slim;
    }

    synchronized void follow(Follower follower) {
        followers.add(follower);
        for (ObjectNode object : objects.values()) follower.changed(null, object);
    }

    boolean awaitSynced(Duration timeout) throws InterruptedException {
        return synced.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    Optional<ObjectNode> get(Key key) {
        return Optional.ofNullable(objects.get(key));
    }

    Collection<ObjectNode> all() {
        return objects.values();
    }

    /** What the object with this uid controls. */
    List<ObjectNode> controlledBy(String uid) {
        return at("uid " + uid);
    }

    /** What nobody controls in a namespace. */
    List<ObjectNode> orphans(String namespace) {
        return at("orphans of " + namespace);
    }

    private List<ObjectNode> at(String index) {
        List<ObjectNode> found = new ArrayList<>();
        for (Key key : byController.getOrDefault(index, Set.of())) {
            ObjectNode object = objects.get(key);
            if (object != null) found.add(object);
        }
        return found;
    }

    /**
     * Followers are told while the lock is held, because they too must hear of a deletion last.
     *
     * @param object from the watch, or from this process' own write, which may be older than what the watch told
     */
    @Override
    public void changed(ObjectNode object) {
        slim.accept(object);
        synchronized (this) {
            Key key = Key.of(object);
            ObjectNode before = objects.get(key);
            if (before != null && version(before) >= version(object)) return;
            if (gone.containsKey(Fields.uid(object))) return;
            objects.put(key, object);
            // Into the new place first: a reader must never find the object in none.
            String index = index(object);
            byController
                    .computeIfAbsent(index, _ -> ConcurrentHashMap.newKeySet())
                    .add(key);
            if (before != null && !index(before).equals(index)) unindex(key, before);
            for (Follower follower : followers) follower.changed(before, object);
        }
    }

    @Override
    public synchronized void deleted(ObjectNode object) {
        gone.put(Fields.uid(object), true);
        Key key = Key.of(object);
        ObjectNode before = objects.get(key);
        // A new object may have the name by now.
        if (before == null || !Fields.uid(before).equals(Fields.uid(object))) return;
        objects.remove(key);
        unindex(key, before);
        for (Follower follower : followers) follower.changed(before, null);
    }

    @Override
    public boolean reads(String parent, String field) {
        return slim.reads(parent, field);
    }

    @Override
    public void synced() {
        synced.countDown();
    }

    private void unindex(Key key, ObjectNode object) {
        byController.computeIfPresent(index(object), (_, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    private static String index(ObjectNode object) {
        JsonNode controller = Fields.controller(object);
        return controller.isMissingNode()
                ? "orphans of " + object.path("metadata").path("namespace").asText("")
                : "uid " + controller.path("uid").asText();
    }

    private static long version(ObjectNode object) {
        return object.path("metadata").path("resourceVersion").asLong();
    }
}
