package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The parameters after the question mark. */
final class Query {
    static final Query NONE = new Query(Map.of());

    private final Map<String, List<String>> values;

    private Query(Map<String, List<String>> values) {
        this.values = values;
    }

    static Query of(String raw) {
        if (raw.isEmpty()) return NONE;
        Map<String, List<String>> values = new TreeMap<>();
        for (String pair : raw.split("&")) {
            if (pair.isEmpty()) continue;
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            values.computeIfAbsent(decode(key), _ -> new ArrayList<>(1)).add(decode(value));
        }
        return new Query(values);
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) return text;
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }

    /** The first value; empty when the parameter is absent. */
    String text(String key) {
        List<String> all = values.get(key);
        return all == null ? "" : all.getFirst();
    }

    List<String> all(String key) {
        return values.getOrDefault(key, List.of());
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** True unless absent, {@code false} or {@code 0}, as Kubernetes reads its flags. */
    boolean flag(String key) {
        if (!values.containsKey(key)) return false;
        String value = text(key);
        return !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    long number(String key, long otherwise) {
        String value = text(key);
        if (value.isEmpty()) return otherwise;
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException _) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(value));
        }
    }
}
