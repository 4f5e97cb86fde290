package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Empties a namespace that is to go, then lets go of it. */
final class NamespaceDeletion implements Controller {
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final Cluster cluster;
    private final Catalog catalog;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror namespaces;

    NamespaceDeletion(Cluster cluster, Catalog catalog) {
        this.cluster = cluster;
        this.catalog = catalog;
        this.namespaces = cluster.mirror(Resources.NAMESPACES);
        namespaces.follow((_, now) -> {
            if (now != null && Fields.deleting(now)) queue.add(Key.of(now));
        });
    }

    @Override
    public String name() {
        return "namespace-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode namespace =
                cluster.api().get(Resources.NAMESPACES, "", key.name()).orElse(null);
        if (namespace == null || !Fields.deleting(namespace)) return Optional.empty();
        if (empty(key.name()) > 0) return Optional.of(AGAIN);
        release(namespace);
        cluster.api().finalizeNamespace(namespace);
        return Optional.empty();
    }

    /** Deletes what is left and tells how much that was. */
    private int empty(String namespace) {
        int left = 0;
        Set<String> stored = new HashSet<>();
        for (ResourceType type : catalog.all()) {
            if (!type.namespaced()
                    || !type.verbs().contains("delete")
                    || !type.verbs().contains("list")) continue;
            if (!stored.add(type.storageKey())) continue;
            var resource = new Resource(type.group(), type.version(), type.plural());
            for (ObjectNode object : cluster.api().list(resource, namespace, Map.of())) {
                left++;
                if (!Fields.deleting(object)) delete(resource, object);
            }
        }
        return left;
    }

    private void delete(Resource resource, ObjectNode object) {
        try {
            cluster.delete(resource, object, Deletion.of(Fields.uid(object)).propagating("Background"));
        } catch (ApiException refused) {
            if (refused.code() != 405) throw refused;
        }
    }

    private static void release(ObjectNode namespace) {
        JsonNode finalizers = namespace.path("spec").path("finalizers");
        if (!(finalizers instanceof ArrayNode list)) return;
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).asText().equals("kubernetes")) list.remove(i);
        }
    }
}
