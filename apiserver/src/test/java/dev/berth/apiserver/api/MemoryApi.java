package dev.berth.apiserver.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The server's verbs over maps, for tests of controllers and nodes: versions, finalizers, grace, and late watches. */
public final class MemoryApi implements Api, AutoCloseable {
    private static final YAMLMapper YAML = new YAMLMapper();

    private record Watch(Resource resource, Listener listener, ExecutorService thread) {}

    private final Map<Resource, Map<String, ObjectNode>> objects = new HashMap<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Set<Resource> refused = new HashSet<>();
    private long version;
    public volatile int creates;

    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException(broken);
        }
    }

    public ObjectNode create(Resource resource, String yaml) {
        ObjectNode object = yaml(yaml);
        return create(resource, object.path("metadata").path("namespace").asText(""), object);
    }

    /** Waits for something that controllers are about to do. */
    public static void eventually(BooleanSupplier condition) {
        Instant end = Instant.now().plus(Duration.ofSeconds(20));
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end)) throw new AssertionError("did not happen in time");
            LockSupport.parkNanos(500_000);
        }
    }

    @Override
    public synchronized ObjectNode create(Resource resource, String namespace, ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        ObjectNode metadata = copy.withObjectProperty("metadata");
        if (!namespace.isEmpty()) metadata.put("namespace", namespace);
        if (!metadata.hasNonNull("name")) {
            metadata.put(
                    "name",
                    metadata.path("generateName").asText()
                            + UUID.randomUUID().toString().substring(0, 5));
        }
        String key = key(copy);
        if (table(resource).containsKey(key)) throw new ApiException(409, "AlreadyExists", key + " exists", null);
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Instant.now().toString());
        metadata.put("generation", 1);
        creates++;
        return stored(resource, key, copy);
    }

    @Override
    public synchronized Optional<ObjectNode> get(Resource resource, String namespace, String name) {
        return Optional.ofNullable(table(resource).get(namespace + "/" + name)).map(ObjectNode::deepCopy);
    }

    @Override
    public synchronized List<ObjectNode> list(Resource resource, String namespace, Map<String, String> labels) {
        List<ObjectNode> found = new ArrayList<>();
        for (ObjectNode each : table(resource).values()) {
            boolean here = namespace.isEmpty()
                    || each.path("metadata").path("namespace").asText("").equals(namespace);
            if (here && new LabelSelector(labels, List.of()).matches(each)) found.add(each.deepCopy());
        }
        return found;
    }

    @Override
    public synchronized ObjectNode update(Resource resource, ObjectNode object) {
        ObjectNode live = live(resource, object);
        ObjectNode next = object.deepCopy();
        if (live.has("status")) next.set("status", live.get("status"));
        if (!live.path("spec").equals(next.path("spec"))) {
            next.withObjectProperty("metadata")
                    .put("generation", live.path("metadata").path("generation").asLong() + 1);
        }
        return storedOrEnded(resource, next);
    }

    /** The next write of such a status fails, as on a full disk. */
    public synchronized void refuseStatus(Resource resource) {
        refused.add(resource);
    }

    @Override
    public synchronized ObjectNode updateStatus(Resource resource, ObjectNode object) {
        if (refused.remove(resource)) throw ApiException.internal("the disk is full");
        ObjectNode next = live(resource, object).deepCopy();
        next.set("status", object.path("status").deepCopy());
        return stored(resource, key(next), next);
    }

    @Override
    public synchronized ObjectNode finalizeNamespace(ObjectNode namespace) {
        return storedOrEnded(Resources.NAMESPACES, namespace.deepCopy());
    }

    @Override
    public synchronized void delete(Resource resource, String namespace, String name, Deletion how) {
        String key = namespace + "/" + name;
        ObjectNode live = table(resource).get(key);
        if (live == null) throw new ApiException(404, "NotFound", key + " not found", null);
        if (!how.uid().isEmpty()
                && !how.uid().equals(live.path("metadata").path("uid").asText())) {
            throw new ApiException(409, "Conflict", "another object", null);
        }
        ObjectNode next = live.deepCopy();
        ObjectNode metadata = next.withObjectProperty("metadata");
        boolean placed = resource.equals(Resources.PODS) && next.path("spec").has("nodeName");
        long grace = placed ? (how.gracePeriodSeconds() < 0 ? 30 : how.gracePeriodSeconds()) : 0;
        if (!metadata.has("deletionTimestamp")) {
            metadata.put("deletionTimestamp", Instant.now().toString());
        }
        metadata.put("deletionGracePeriodSeconds", grace);
        if (how.propagationPolicy().equals("Foreground")) {
            metadata.withArrayProperty("finalizers").add("foregroundDeletion");
        }
        if (how.propagationPolicy().equals("Orphan"))
            metadata.withArrayProperty("finalizers").add("orphan");
        if (grace > 0) stored(resource, key, next);
        else storedOrEnded(resource, next);
    }

    @Override
    public synchronized Subscription watch(Resource resource, Listener listener) {
        var watch = new Watch(
                resource,
                listener,
                Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()));
        for (ObjectNode each : table(resource).values()) {
            ObjectNode copy = each.deepCopy();
            watch.thread().execute(() -> listener.changed(copy));
        }
        watch.thread().execute(listener::synced);
        watches.add(watch);
        return () -> watch.thread().shutdownNow();
    }

    private ObjectNode live(Resource resource, ObjectNode object) {
        ObjectNode live = table(resource).get(key(object));
        if (live == null) throw new ApiException(404, "NotFound", key(object) + " not found", null);
        JsonNode given = object.path("metadata").path("resourceVersion");
        if (!given.equals(live.path("metadata").path("resourceVersion"))) {
            throw new ApiException(409, "Conflict", "modified", null);
        }
        return live;
    }

    private ObjectNode storedOrEnded(Resource resource, ObjectNode next) {
        boolean held = !next.path("metadata").path("finalizers").isEmpty()
                || !next.path("spec").path("finalizers").isEmpty()
                || next.path("metadata").path("deletionGracePeriodSeconds").asLong() > 0;
        if (held || !next.path("metadata").has("deletionTimestamp")) return stored(resource, key(next), next);
        table(resource).remove(key(next));
        next.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
        tell(resource, listener -> listener.deleted(next.deepCopy()));
        return next;
    }

    private ObjectNode stored(Resource resource, String key, ObjectNode object) {
        object.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
        table(resource).put(key, object);
        ObjectNode copy = object.deepCopy();
        tell(resource, listener -> listener.changed(copy.deepCopy()));
        return object.deepCopy();
    }

    private interface Tell {
        void to(Listener listener);
    }

    private void tell(Resource resource, Tell tell) {
        for (Watch watch : watches) {
            boolean open = !watch.thread().isShutdown();
            if (open && watch.resource().equals(resource)) watch.thread().execute(() -> tell.to(watch.listener()));
        }
    }

    private Map<String, ObjectNode> table(Resource resource) {
        return objects.computeIfAbsent(resource, _ -> new TreeMap<>());
    }

    private static String key(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.path("namespace").asText("") + "/"
                + metadata.path("name").asText();
    }

    @Override
    public void close() {
        watches.forEach(watch -> watch.thread().shutdownNow());
    }
}
