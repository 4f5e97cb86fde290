package dev.berth.apiserver.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Small objects for tests of the store. */
final class Drafts {
    private Drafts() {}

    static Draft named(String name) {
        return of(name, Map.of());
    }

    static Draft of(String name, Map<String, String> labels) {
        String head = "{\"metadata\":{\"name\":\"" + name + "\",\"resourceVersion\":\"";
        byte[] json = (head + "\"}}").getBytes(StandardCharsets.UTF_8);
        return new Draft(json, head.length(), new Facts("uid-" + name, labels, List.of("field")));
    }
}
