package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Facts;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Where the objects of a resource are in the store. */
final class Repository {
    private final Store store;

    Repository(Store store) {
        this.store = store;
    }

    Store store() {
        return store;
    }

    /** Both groups' events are one table: they are two views of the same objects. */
    Table table(ResourceType type) {
        String key = type.storageKey();
        return store.table(key.equals("events.events.k8s.io") ? "events" : key);
    }

    static String key(ResourceType type, String namespace, String name) {
        return type.namespaced() ? namespace + "/" + name : name;
    }

    Optional<Stored> find(ResourceType type, String namespace, String name) {
        return store.get(table(type), key(type, namespace, name));
    }

    Draft draft(ResourceType type, ObjectNode object) {
        if (EventForms.isConverted(type)) return coreDraft(type, EventForms.toCore(object));
        return coreDraft(type, object);
    }

    private static Draft coreDraft(ResourceType type, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        var facts = new Facts(
                metadata.path("uid").asText(""),
                labels(metadata.path("labels")),
                SelectableFields.values(type, object));
        return Json.draft(object, facts);
    }

    private static Map<String, String> labels(JsonNode labels) {
        if (labels.isEmpty()) return Map.of();
        Map<String, String> copy = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : labels.properties()) {
            copy.put(each.getKey(), each.getValue().asText(""));
        }
        return Map.copyOf(copy);
    }
}
