package dev.berth.advisor.observer;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who ran when on each node, for as long as somebody who ran at the same time has not been told of. */
final class History {
    private static final int MOST_OF_A_NODE = 2000;

    private final Map<String, Map<String, Run>> byNode = new HashMap<>();
    /** Ended runs that are still to be told of: their neighbours must not be forgotten. */
    private final Set<String> untold = new HashSet<>();

    synchronized void saw(Run run, boolean toBeTold) {
        var runs = byNode.computeIfAbsent(run.node(), _ -> new LinkedHashMap<>());
        runs.put(run.uid(), run);
        if (toBeTold) {
            untold.add(run.uid());
        }
        forget(run.node(), runs);
    }

    synchronized void told(Run run) {
        untold.remove(run.uid());
        var runs = byNode.get(run.node());
        if (runs != null) {
            forget(run.node(), runs);
        }
    }

    /** A pod that vanished without an end ended now at the latest. */
    synchronized void vanished(Run run, Instant now) {
        var runs = byNode.get(run.node());
        if (runs != null) {
            runs.computeIfPresent(run.uid(), (_, last) -> last.end().isPresent() ? last : ended(last, now));
            forget(run.node(), runs);
        }
    }

    private static Run ended(Run run, Instant now) {
        return new Run(
                run.uid(),
                run.name(),
                run.node(),
                run.jobType(),
                run.chosen(),
                run.devices(),
                run.start(),
                Optional.of(now),
                false);
    }

    /** The types of the jobs that ran beside this one, by name; one entry each. */
    synchronized List<String> neighbours(Run run) {
        return byNode.getOrDefault(run.node(), Map.of()).values().stream()
                .filter(run::beside)
                .map(Run::jobType)
                .sorted()
                .toList();
    }

    private void forget(String node, Map<String, Run> runs) {
        var oldest = runs.values().stream()
                .filter(run -> run.end().isEmpty() || untold.contains(run.uid()))
                .map(Run::start)
                .min(Instant::compareTo);
        runs.values()
                .removeIf(run -> !untold.contains(run.uid())
                        && run.end().isPresent()
                        && (oldest.isEmpty() || run.end().get().isBefore(oldest.get())));
        var eldest = runs.values().iterator();
        while (runs.size() > MOST_OF_A_NODE && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
        if (runs.isEmpty()) {
            byNode.remove(node);
        }
    }
}
