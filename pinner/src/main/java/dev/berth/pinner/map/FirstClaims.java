package dev.berth.pinner.map;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which line was the first to name each GPU of a node. Each name is looked at once: an annotation has room for tens of
 * thousands of lines, and whoever compared each with each would keep everybody else waiting for minutes.
 */
final class FirstClaims {
    private final Map<String, MapEntry> byName = new HashMap<>();
    private Optional<MapEntry> ofAny = Optional.empty();
    private Optional<MapEntry> ofAll = Optional.empty();

    /** Takes down what a line names; the first of the lines before it that name some of the same. */
    Optional<MapEntry> add(MapEntry entry) {
        var gpus = entry.gpus();
        if (gpus.nothing()) {
            return Optional.empty();
        }
        var before = Stream.concat(
                        gpus.names().flatMap(name -> Optional.ofNullable(byName.get(name)).stream()),
                        (gpus.all() ? ofAny : ofAll).stream())
                .min(Comparator.comparingLong(MapEntry::ordinal));
        gpus.names().forEach(name -> byName.putIfAbsent(name, entry));
        ofAny = ofAny.or(() -> Optional.of(entry));
        if (gpus.all()) {
            ofAll = ofAll.or(() -> Optional.of(entry));
        }
        return before;
    }
}
