package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;

/**
 * Where an object keeps its replicas, as JSON pointers.
 *
 * @param selector where the text of the selector is; empty when it is made of the object's own
 */
record ScalePaths(String wanted, String found, String selector) {
    private static final ScalePaths USUAL = new ScalePaths("/spec/replicas", "/status/replicas", "");

    static ScalePaths of(Rooms rooms, ResourceType type) {
        JsonNode declared = rooms.catalog().scalePaths(type);
        if (!declared.isObject()) return USUAL;
        String selector = declared.path("labelSelectorPath").asText("");
        return new ScalePaths(
                pointer(declared.path("specReplicasPath").asText()),
                pointer(declared.path("statusReplicasPath").asText()),
                selector.isEmpty() ? "/status/none" : pointer(selector));
    }

    /** {@code .spec.boats} becomes {@code /spec/boats}: a definition may use no more of JSONPath than that. */
    private static String pointer(String path) {
        return path.replace('.', '/');
    }

    void replicas(ObjectNode object, int count) {
        int slash = wanted.lastIndexOf('/');
        object.withObject(wanted.substring(0, slash)).put(wanted.substring(slash + 1), count);
    }
}
