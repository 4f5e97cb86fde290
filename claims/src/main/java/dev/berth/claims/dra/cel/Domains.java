package dev.berth.claims.dra.cel;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes or capacities by domain and name. A domain that the device does not have is an empty one, not an error.
 */
final class Domains extends AbstractMap<String, Object> {
    private final Map<String, Object> known = new HashMap<>();

    void put(String qualifiedName, String driver, Object value) {
        int slash = qualifiedName.indexOf('/');
        String domain = slash < 0 ? driver : qualifiedName.substring(0, slash);
        within(domain).put(qualifiedName.substring(slash + 1), value);
    }

    @SuppressWarnings("unchecked") // nothing else is put in
    private Map<String, Object> within(String domain) {
        return (Map<String, Object>) known.computeIfAbsent(domain, _ -> new HashMap<String, Object>());
    }

    @Override
    public @Nullable Object get(Object key) {
        var value = known.get(key);
        return value == null && key instanceof String ? Map.of() : value;
    }

    @Override
    public boolean containsKey(Object key) {
        return known.containsKey(key);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return known.entrySet();
    }
}
