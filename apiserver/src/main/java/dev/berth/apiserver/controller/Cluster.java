package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The server as controllers see it: mirrors to read from, and writes that are visible in them at once. */
final class Cluster implements AutoCloseable {
    private static final int MOST_TRIES = 5;

    private final Api api;
    private final InstantSource clock;
    private final Map<Resource, Mirror> mirrors = new ConcurrentHashMap<>();
    private final List<Api.Subscription> watches = new ArrayList<>();

    Cluster(Api api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    Api api() {
        return api;
    }

    Instant now() {
        return clock.instant();
    }

    /** The one mirror of a resource, watched from the first call on. */
    Mirror mirror(Resource resource) {
        return mirror(resource, Slim.of(resource));
    }

    /** A mirror that is to hold nothing but metadata, unless somebody asked for more before. */
    Mirror metadata(Resource resource) {
        return mirror(resource, Slim.METADATA);
    }

    private synchronized Mirror mirror(Resource resource, Slim slim) {
        Mirror known = mirrors.get(resource);
        if (known != null) return known;
        var mirror = new Mirror(slim);
        mirrors.put(resource, mirror);
        watches.add(api.watch(resource, mirror));
        return mirror;
    }

    void awaitSynced(Duration timeout) throws InterruptedException {
        for (var each : mirrors.entrySet()) {
            if (!each.getValue().awaitSynced(timeout)) {
                throw new IllegalStateException(each.getKey() + " was not listed in " + timeout);
            }
        }
    }

    ObjectNode create(Resource resource, String namespace, ObjectNode object) {
        ObjectNode created = api.create(resource, namespace, object);
        observe(resource, created);
        return created;
    }

    void delete(Resource resource, ObjectNode object, Deletion how) {
        Key key = Key.of(object);
        try {
            api.delete(resource, key.namespace(), key.name(), how);
        } catch (ApiException refused) {
            if (refused.code() != 404 && refused.code() != 409) throw refused;
        }
        Mirror mirror = mirrors.get(resource);
        if (mirror == null) return;
        Optional<ObjectNode> left = api.get(resource, key.namespace(), key.name());
        if (left.isPresent() && Fields.uid(left.get()).equals(Fields.uid(object))) mirror.changed(left.get());
        else mirror.deleted(object);
    }

    /** Changes the object as it is now; again, when somebody else was faster. Nothing is written when it is gone. */
    Optional<ObjectNode> modify(Resource resource, ObjectNode object, Predicate<ObjectNode> change) {
        return write(resource, object, change, next -> api.update(resource, next));
    }

    Optional<ObjectNode> modifyStatus(Resource resource, ObjectNode object, Predicate<ObjectNode> change) {
        return write(resource, object, change, next -> api.updateStatus(resource, next));
    }

    private interface Write {
        ObjectNode write(ObjectNode next);
    }

    /** @param change tells whether there is anything to write */
    private Optional<ObjectNode> write(
            Resource resource, ObjectNode object, Predicate<ObjectNode> change, Write write) {
        Key key = Key.of(object);
        for (int tries = 1; ; tries++) {
            Optional<ObjectNode> live = api.get(resource, key.namespace(), key.name());
            if (live.isEmpty() || !Fields.uid(live.get()).equals(Fields.uid(object))) return Optional.empty();
            ObjectNode next = live.get();
            if (!change.test(next)) return live;
            try {
                ObjectNode written = write.write(next);
                observe(resource, written);
                return Optional.of(written);
            } catch (ApiException conflict) {
                if (conflict.code() == 404) return Optional.empty();
                if (conflict.code() != 409 || tries == MOST_TRIES) throw conflict;
            }
        }
    }

    private void observe(Resource resource, ObjectNode object) {
        Mirror mirror = mirrors.get(resource);
        // An object whose last finalizer went with this write is gone already, and the watch will say so.
        boolean ended = Fields.deleting(object)
                && object.path("metadata").path("finalizers").isEmpty();
        if (mirror != null && !ended) mirror.changed(object.deepCopy());
    }

    @Override
    public synchronized void close() {
        watches.forEach(Api.Subscription::close);
        watches.clear();
    }
}
