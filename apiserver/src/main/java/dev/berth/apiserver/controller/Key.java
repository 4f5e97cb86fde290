package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;

/** Names one object of a resource; the namespace is empty for those of the cluster. */
record Key(String namespace, String name) {
    static Key of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new Key(
                metadata.path("namespace").asText(""), metadata.path("name").asText());
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
