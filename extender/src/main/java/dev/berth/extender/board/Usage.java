package dev.berth.extender.board;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The cores that each namespace holds of each GPU model. */
final class Usage {
    private record Key(String namespace, String model) {}

    private final Map<Key, Long> cores = new HashMap<>();

    void more(String model, Map<String, Long> byNamespace) {
        byNamespace.forEach((namespace, amount) -> add(new Key(namespace, model), amount));
    }

    void less(String model, Map<String, Long> byNamespace) {
        byNamespace.forEach((namespace, amount) -> add(new Key(namespace, model), -amount));
    }

    private void add(Key key, long amount) {
        cores.merge(key, amount, Long::sum);
        if (cores.getOrDefault(key, 0L) == 0) {
            cores.remove(key);
        }
    }

    long of(String namespace, String model) {
        return cores.getOrDefault(new Key(namespace, model), 0L);
    }

    /** By namespace, then by model. */
    Map<String, Map<String, Long>> all() {
        var all = new TreeMap<String, Map<String, Long>>();
        cores.forEach((key, amount) ->
                all.computeIfAbsent(key.namespace(), _ -> new TreeMap<>()).put(key.model(), amount));
        return all;
    }
}
