package dev.berth.claims.scheduler;

import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.core.Ledger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** This process's decisions that no ledger shows yet: the next decision must not take what they took. */
final class Underway {
    private final Map<String, List<Line>> byPod = new ConcurrentHashMap<>();

    void add(String podUid, List<Line> lines) {
        if (!lines.isEmpty()) {
            byPod.put(podUid, List.copyOf(lines));
        }
    }

    void remove(String podUid) {
        byPod.remove(podUid);
    }

    Ledger over(Ledger ledger) {
        var both = ledger;
        for (var lines : byPod.values()) {
            for (var line : lines) {
                both = both.with(line.place(), both.of(line.place()).recording(line.entry()));
            }
        }
        return both;
    }
}
