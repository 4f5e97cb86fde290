package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** An object's metadata, as the server reads and writes it. */
final class Metadata {
    private Metadata() {}

    /** The metadata of the object, made when absent. */
    static ObjectNode of(ObjectNode object) {
        return object.get("metadata") instanceof ObjectNode present ? present : object.putObject("metadata");
    }

    static String text(ObjectNode object, String field) {
        return object.path("metadata").path(field).asText("");
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static boolean deleting(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    static boolean hasFinalizers(JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty();
    }

    static void addFinalizer(ObjectNode object, String finalizer) {
        ObjectNode metadata = of(object);
        ArrayNode all =
                metadata.get("finalizers") instanceof ArrayNode present ? present : metadata.putArray("finalizers");
        for (JsonNode each : all) if (each.asText().equals(finalizer)) return;
        all.add(finalizer);
    }

    static void removeFinalizer(ObjectNode object, String finalizer) {
        if (!(of(object).get("finalizers") instanceof ArrayNode all)) return;
        for (int i = all.size() - 1; i >= 0; i--) if (all.get(i).asText().equals(finalizer)) all.remove(i);
        if (all.isEmpty()) of(object).remove("finalizers");
    }

    static void bumpGeneration(ObjectNode object) {
        long generation = object.path("metadata").path("generation").asLong(0);
        if (generation > 0) of(object).put("generation", generation + 1);
    }

    /** Keeps on an update what only the server sets. */
    static void carryOver(ObjectNode next, ObjectNode old) {
        ObjectNode metadata = of(next);
        JsonNode before = old.path("metadata");
        for (String field : new String[] {"name", "namespace", "uid", "creationTimestamp"}) {
            if (!metadata.hasNonNull(field) && before.has(field)) metadata.set(field, before.get(field));
        }
        for (String field : new String[] {"generation", "generateName", "selfLink"}) {
            if (field.equals("selfLink")) metadata.remove(field);
            else if (field.equals("generation") || !metadata.has(field)) copy(field, before, metadata);
        }
        if (before.hasNonNull("deletionTimestamp")) {
            metadata.set("deletionTimestamp", before.get("deletionTimestamp"));
            if (!metadata.hasNonNull("deletionGracePeriodSeconds")) {
                copy("deletionGracePeriodSeconds", before, metadata);
            }
        } else {
            metadata.remove("deletionTimestamp");
            metadata.remove("deletionGracePeriodSeconds");
        }
    }

    private static void copy(String field, JsonNode from, ObjectNode to) {
        if (from.has(field)) to.set(field, from.get(field));
        else to.remove(field);
    }
}
