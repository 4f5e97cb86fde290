package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps objects without what nobody here reads. */
final class SlimStore<T extends HasMetadata> implements ItemStore<T> {
    private final ConcurrentHashMap<String, T> items = new ConcurrentHashMap<>();
    private final Consumer<T> slim;

    /** @param slim takes that away */
    SlimStore(Consumer<T> slim) {
        this.slim = slim;
    }

    @Override
    public String getKey(T item) {
        var metadata = item.getMetadata();
        var namespace = metadata.getNamespace();
        return namespace == null || namespace.isEmpty() ? metadata.getName() : namespace + "/" + metadata.getName();
    }

    @Override
    public @Nullable T put(String key, T item) {
        slim.accept(item);
        return items.put(key, item);
    }

    @Override
    public @Nullable T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }
}
