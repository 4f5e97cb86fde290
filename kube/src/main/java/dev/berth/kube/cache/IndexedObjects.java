package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Objects by their names and by whatever else they are looked up by. One thread writes, anybody reads. */
final class IndexedObjects<T extends HasMetadata> {
    private final Map<String, T> objects = new ConcurrentHashMap<>();
    private final Map<String, Index<T>> indexes;

    /** What an object is found by, and what is found by it: lists that are never changed, so that many can read one. */
    private record Index<T>(Function<T, List<String>> values, Map<String, List<T>> found) {
        /** Puts the one in the other's place; nothing stands for one that is not there. */
        void swap(@Nullable T before, @Nullable T now) {
            var left = before == null ? List.<String>of() : values.apply(before);
            var entered = now == null ? List.<String>of() : values.apply(now);
            for (var value : left) {
                if (!entered.contains(value)) {
                    found.compute(value, (_, list) -> swapped(list, before, null));
                }
            }
            for (var value : entered) {
                found.compute(value, (_, list) -> swapped(list, before, now));
            }
        }

        /** It is that very object which left, whatever others look like. */
        @SuppressWarnings("ReferenceEquality")
        private static <T> @Nullable List<T> swapped(@Nullable List<T> list, @Nullable T before, @Nullable T now) {
            var swapped = new ArrayList<T>();
            if (list != null) {
                list.stream().filter(object -> object != before).forEach(swapped::add);
            }
            if (now != null) {
                swapped.add(now);
            }
            return swapped.isEmpty() ? null : List.copyOf(swapped);
        }
    }

    IndexedObjects(Map<String, Function<T, List<String>>> indexes) {
        var made = new HashMap<String, Index<T>>();
        indexes.forEach((name, values) -> made.put(name, new Index<>(values, new ConcurrentHashMap<>())));
        this.indexes = Map.copyOf(made);
    }

    static String key(@Nullable String namespace, String name) {
        return namespace == null || namespace.isEmpty() ? name : namespace + "/" + name;
    }

    static String key(HasMetadata object) {
        return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    Optional<T> find(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    List<T> all() {
        return List.copyOf(objects.values());
    }

    Set<String> keys() {
        return Set.copyOf(objects.keySet());
    }

    List<T> by(String index, String value) {
        var known = indexes.get(index);
        if (known == null) {
            throw new IllegalArgumentException("nothing is looked up by " + index);
        }
        return known.found().getOrDefault(value, List.of());
    }

    /** What was there before. */
    Optional<T> put(T object) {
        var before = objects.put(key(object), object);
        indexes.values().forEach(index -> index.swap(before, object));
        return Optional.ofNullable(before);
    }

    /** What was there. */
    Optional<T> remove(String key) {
        var before = objects.remove(key);
        indexes.values().forEach(index -> index.swap(before, null));
        return Optional.ofNullable(before);
    }
}
