package dev.berth.claims.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What claims are called, by their uid; those that are gone as well, so that the server can be asked about one of them
 * and not about its whole namespace. Those that were seen longest ago are forgotten first.
 */
final class ClaimNames {
    private static final int MOST = 65_536;

    private final Map<String, String> names = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    synchronized void seen(String uid, String name) {
        names.put(uid, name);
    }

    synchronized Optional<String> of(String uid) {
        return Optional.ofNullable(names.get(uid));
    }
}
