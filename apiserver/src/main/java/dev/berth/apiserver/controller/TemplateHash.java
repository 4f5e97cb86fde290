package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;

/**
 * A short name for a pod template, in the alphabet that Kubernetes uses. The value differs from Kubernetes', which
 * hashes the memory of its own structures; what matters is that equal templates have equal names.
 */
final class TemplateHash {
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private TemplateHash() {}

    static String of(JsonNode template, int collisions) {
        // A tree is written in its own order; only as a map is it sorted.
        Object map = SORTED.convertValue(template, Object.class);
        String text = SORTED.valueToTree(map).toString() + collisions;
        int hash = 0x811c9dc5;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash ^= each & 0xff;
            hash *= 0x01000193;
        }
        var name = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            name.append(ALPHABET.charAt(digit % ALPHABET.length()));
        }
        return name.toString();
    }
}
