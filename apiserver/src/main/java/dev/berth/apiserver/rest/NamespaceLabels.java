package dev.berth.apiserver.rest;

import dev.berth.apiserver.store.Store;
import java.util.Map;
import java.util.function.Function;

/** The labels of a stored namespace; none where there is no such namespace. */
public record NamespaceLabels(Store store) implements Function<String, Map<String, String>> {
    @Override
    public Map<String, String> apply(String namespace) {
        return store.get(store.table("namespaces"), namespace)
                .map(stored -> stored.facts().labels())
                .orElse(Map.of());
    }
}
