package dev.berth.claims.scheduler;

import dev.berth.core.NodeName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Which claims have devices where, as far as was heard. */
final class ClaimsByPlace<C> {
    private final Function<C, String> uid;
    private final Function<C, Set<NodeName>> places;
    private final Map<NodeName, Map<String, C>> claims = new ConcurrentHashMap<>();

    ClaimsByPlace(Function<C, String> uid, Function<C, Set<NodeName>> places) {
        this.uid = uid;
        this.places = places;
    }

    /** Takes note of a claim that changed; gives back the places that are concerned. */
    Set<NodeName> heard(Optional<C> before, Optional<C> after) {
        var concerned = new TreeSet<NodeName>();
        before.ifPresent(claim -> places.apply(claim).forEach(place -> {
            concerned.add(place);
            claims.computeIfPresent(place, (_, there) -> without(there, claim));
        }));
        after.ifPresent(claim -> places.apply(claim).forEach(place -> {
            concerned.add(place);
            claims.merge(place, Map.of(uid.apply(claim), claim), (there, _) -> with(there, claim));
        }));
        return concerned;
    }

    Collection<NodeName> places() {
        return List.copyOf(claims.keySet());
    }

    Collection<C> at(NodeName place) {
        return claims.getOrDefault(place, Map.of()).values();
    }

    private Map<String, C> with(Map<String, C> there, C claim) {
        var next = new TreeMap<>(there);
        next.put(uid.apply(claim), claim);
        return next;
    }

    private Map<String, C> without(Map<String, C> there, C claim) {
        var next = new TreeMap<>(there);
        next.remove(uid.apply(claim));
        return next;
    }
}
