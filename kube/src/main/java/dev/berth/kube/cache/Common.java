package dev.berth.kube.cache;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Values that many objects have in common, such as the labels and requests of a job's pods: equal ones are kept once.
 * What is given here must not be changed any more.
 */
final class Common {
    /** Beyond that it begins anew: objects keep what they have, and what nobody has any more is forgotten. */
    private static final int MOST = 20_000;

    private final Map<Object, Object> known = new ConcurrentHashMap<>();

    /** The one that was seen first of all that are equal to this. */
    @SuppressWarnings("unchecked")
    <T> @Nullable T one(@Nullable T value) {
        if (value == null) {
            return null;
        }
        if (known.size() >= MOST) {
            known.clear();
        }
        var first = known.putIfAbsent(value, value);
        return first == null ? value : (T) first;
    }

    /** The same for a map, as one that is small and cannot be changed. */
    <V> @Nullable Map<String, V> map(@Nullable Map<String, V> map) {
        return map == null ? null : one(small(map));
    }

    /** The same map, small, for what is another in every object. */
    static <V> Map<String, V> small(Map<String, V> map) {
        // A server sends no key without a value; whoever else does keeps his map.
        return map.values().stream().anyMatch(Objects::isNull) ? map : Map.copyOf(map);
    }
}
