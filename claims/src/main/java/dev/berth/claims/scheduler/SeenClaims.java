package dev.berth.claims.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What claims are called, by their uid; those that are gone as well, so that the server can be asked about one of them
 * and not about its whole namespace, or need not be asked: no uid comes back. Those that were seen first are forgotten
 * first.
 */
final class SeenClaims {
    private static final int MOST = 65_536;

    private record Known(String name, boolean gone) {}

    private final Map<String, Known> claims = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MOST;
        }
    };

    synchronized void add(String uid, String name) {
        claims.putIfAbsent(uid, new Known(name, false));
    }

    /** The watch has said that it was removed. */
    synchronized void gone(String uid, String name) {
        claims.put(uid, new Known(name, true));
    }

    synchronized boolean isGone(String uid) {
        var known = claims.get(uid);
        return known != null && known.gone();
    }

    synchronized Optional<String> of(String uid) {
        return Optional.ofNullable(claims.get(uid)).map(Known::name);
    }
}
