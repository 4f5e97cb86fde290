package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Change;
import dev.berth.apiserver.store.Cursor;
import dev.berth.apiserver.store.ExpiredException;
import dev.berth.apiserver.store.Snapshot;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verbs for the server's own parts. */
final class InProcessApi implements Api {
    private static final Logger log = LoggerFactory.getLogger(InProcessApi.class);
    private static final Duration LOOK_AROUND_EVERY = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Rooms rooms;
    private final Verbs verbs;
    private final Call call = Call.internal("berth");

    InProcessApi(Rooms rooms, Verbs verbs) {
        this.rooms = rooms;
        this.verbs = verbs;
    }

    private ResourceType type(Resource resource) {
        return rooms.catalog()
                .byPath(resource.group(), resource.version(), resource.plural())
                .orElseThrow(ApiException::noResource);
    }

    @Override
    public ObjectNode create(Resource resource, String namespace, ObjectNode object) {
        ResourceType type = type(resource);
        return Json.tree(type, verbs.create(type, namespace, object.deepCopy(), call));
    }

    @Override
    public Optional<ObjectNode> get(Resource resource, String namespace, String name) {
        ResourceType type = type(resource);
        return rooms.repository().find(type, namespace, name).map(stored -> Json.tree(type, stored));
    }

    @Override
    public List<ObjectNode> list(Resource resource, String namespace, Map<String, String> labels) {
        return list(type(resource), namespace, labels);
    }

    List<ObjectNode> list(ResourceType type, String namespace, Map<String, String> labels) {
        var selection = new Selection(
                type.namespaced() && !namespace.isEmpty() ? namespace + "/" : "",
                LabelSelector.of(labels),
                FieldSelector.EVERYTHING);
        List<ObjectNode> found = new ArrayList<>();
        rooms.repository()
                .store()
                .snapshot(rooms.repository().table(type))
                .visit("", selection.prefix(), (key, stored) -> {
                    if (selection.matches(key, stored)) found.add(Json.tree(type, stored));
                    return true;
                });
        return found;
    }

    @Override
    public ObjectNode update(Resource resource, ObjectNode object) {
        return replace(resource, "", object);
    }

    @Override
    public ObjectNode updateStatus(Resource resource, ObjectNode object) {
        return replace(resource, "status", object);
    }

    @Override
    public ObjectNode finalizeNamespace(ObjectNode namespace) {
        ResourceType type = type(new Resource("", "v1", "namespaces"));
        return Json.tree(type, verbs.finalizeNamespace(Metadata.text(namespace, "name"), namespace, call));
    }

    private ObjectNode replace(Resource resource, String subresource, ObjectNode object) {
        ResourceType type = type(resource);
        String name = Metadata.text(object, "name");
        String namespace = Metadata.text(object, "namespace");
        return Json.tree(
                type,
                verbs.replace(type, subresource, namespace, name, object.deepCopy(), call)
                        .stored());
    }

    @Override
    public void delete(Resource resource, String namespace, String name, Deletion how) {
        var options = new DeleteOptions(how.uid(), "", how.gracePeriodSeconds(), how.propagationPolicy());
        verbs.delete(type(resource), namespace, name, options, call);
    }

    @Override
    public Subscription watch(Resource resource, Listener listener) {
        ResourceType type = type(resource);
        var open = new AtomicBoolean(true);
        Thread thread =
                Thread.ofVirtual().name("watch-" + type.qualifiedPlural()).start(() -> follow(type, listener, open));
        return () -> {
            open.set(false);
            thread.interrupt();
        };
    }

    private void follow(ResourceType type, Listener listener, AtomicBoolean open) {
        Store store = rooms.repository().store();
        Table table = rooms.repository().table(type);
        Map<String, Stored> known = new HashMap<>();
        boolean first = true;
        Duration pause = Duration.ZERO;
        while (open.get()) {
            try {
                Thread.sleep(pause);
                Snapshot snapshot = store.snapshot(table);
                resync(type, snapshot, listener, known);
                if (first) listener.synced();
                first = false;
                Cursor cursor = store.follow(table, snapshot.revision());
                pause = Duration.ZERO;
                while (open.get()) {
                    Optional<Change> change = cursor.next(LOOK_AROUND_EVERY);
                    change.ifPresent(each -> tell(type, each, listener, known));
                }
            } catch (ExpiredException slow) {
                log.warn("resource={} watch fell behind, starting over", type.qualifiedPlural());
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException failed) {
                if (!open.get()) return;
                pause = after(pause);
                log.error("resource={} watch failed, starting over in {}", type.qualifiedPlural(), pause, failed);
            }
        }
    }

    private static Duration after(Duration pause) {
        if (pause.isZero()) return FIRST_PAUSE;
        Duration grown = pause.multipliedBy(2);
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }

    private static void resync(ResourceType type, Snapshot snapshot, Listener listener, Map<String, Stored> known) {
        Map<String, Stored> gone = new HashMap<>(known);
        snapshot.visit("", "", (key, stored) -> {
            gone.remove(key);
            Stored before = known.put(key, stored);
            boolean news = before == null || before.revision() != stored.revision();
            if (news) guarded(type, () -> listener.changed(Json.tree(type, stored, listener)));
            return true;
        });
        gone.forEach((key, stored) -> {
            known.remove(key);
            guarded(type, () -> listener.deleted(Json.tree(type, stored, listener)));
        });
    }

    private static void tell(ResourceType type, Change change, Listener listener, Map<String, Stored> known) {
        ObjectNode tree = Json.tree(type, change.shown(), listener);
        if (change.deletion()) {
            known.remove(change.key());
            guarded(type, () -> listener.deleted(tree));
        } else {
            known.put(change.key(), change.shown());
            guarded(type, () -> listener.changed(tree));
        }
    }

    /** A listener that fails must not end the watch of the others' events. */
    private static void guarded(ResourceType type, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException broken) {
            log.error("resource={} a listener failed", type.qualifiedPlural(), broken);
        }
    }
}
