package dev.berth.pinner.map;

import dev.berth.core.explain.Shown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where each replica goes: lines of {@code ordinal=node:devices}. A line that cannot be read costs only itself.
 *
 * @param byNode the entries of each node, by what the map calls it
 * @param problems the lines that are malformed
 * @param remarks what is allowed, and perhaps not meant
 */
public record GpuMap(
        SortedMap<Long, MapEntry> entries,
        Map<String, List<MapEntry>> byNode,
        List<LineProblem> problems,
        List<LineProblem> remarks) {
    private static final int MOST_RANGES = 20;

    public GpuMap {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        byNode = Map.copyOf(byNode);
        problems = List.copyOf(problems);
        remarks = List.copyOf(remarks);
    }

    /** Never fails: what is wrong is among the problems. */
    public static GpuMap parse(String text) {
        var reading = new Reading();
        int line = 0;
        for (var each : text.split("\n", -1)) {
            reading.line(++line, Whitespace.trim(each));
        }
        var remarks = reading.remarks();
        return new GpuMap(reading.entries, reading.byNode, reading.problems, remarks);
    }

    /** The entries of a node, by what the map calls it. */
    public List<MapEntry> at(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    public Optional<MapEntry> of(long ordinal) {
        return Optional.ofNullable(entries.get(ordinal));
    }

    /** The replicas that it knows, for people: {@code 0-4, 7}; of many scattered ones the first. */
    public String ordinals() {
        var parts = new ArrayList<String>();
        long first = 0;
        long last = 0;
        boolean open = false;
        for (long ordinal : entries.keySet()) {
            if (parts.size() == MOST_RANGES) {
                return String.join(", ", parts) + ", …";
            }
            if (open && ordinal == last + 1) {
                last = ordinal;
                continue;
            }
            if (open) {
                parts.add(range(first, last));
            }
            first = ordinal;
            last = ordinal;
            open = true;
        }
        if (open) {
            parts.add(range(first, last));
        }
        return String.join(", ", parts);
    }

    private static String range(long first, long last) {
        return first == last ? Long.toString(first) : "%d-%d".formatted(first, last);
    }

    private static final class Reading {
        private final TreeMap<Long, MapEntry> entries = new TreeMap<>();
        private final List<LineProblem> problems = new ArrayList<>();
        private final Map<String, List<MapEntry>> byNode = new HashMap<>();
        private final List<LineProblem> replaced = new ArrayList<>();

        void line(int number, String line) {
            if (line.isEmpty() || line.startsWith("#")) {
                return;
            }
            int equals = line.indexOf('=');
            if (equals < 0) {
                problems.add(new LineProblem(number, line, "it has no '='; a line is ordinal=node:devices"));
                return;
            }
            var left = Whitespace.trim(line.substring(0, equals));
            var ordinal = WholeNumber.parse(left);
            if (ordinal.isEmpty()) {
                problems.add(
                        new LineProblem(number, line, "'%s' is not the number of a replica".formatted(Shown.of(left))));
                return;
            }
            var right = line.substring(equals + 1);
            int colon = right.indexOf(':');
            if (colon < 0) {
                problems.add(new LineProblem(number, line, "it has no ':' between node and devices"));
                return;
            }
            add(number, line, ordinal.getAsLong(), right.substring(0, colon), right.substring(colon + 1));
        }

        private void add(int number, String line, long ordinal, String node, String devices) {
            var list = Whitespace.trim(devices);
            var entry = new MapEntry(ordinal, Whitespace.trim(node), list, GpuNames.of(list), number);
            if (entry.node().isEmpty()) {
                problems.add(new LineProblem(number, line, "it names no node"));
            }
            if (!entry.gpus().strange().isEmpty()) {
                problems.add(new LineProblem(
                        number,
                        line,
                        "'%s' is neither a GPU's index nor its UUID"
                                .formatted(Shown.of(entry.gpus().strange().getFirst()))));
            }
            var before = entries.put(ordinal, entry);
            if (before != null) {
                replaced.add(new LineProblem(
                        number, line, "it replaces line %d for replica %d".formatted(before.line(), ordinal)));
            }
        }

        List<LineProblem> remarks() {
            var remarks = new ArrayList<>(replaced);
            Map<String, FirstClaims> claims = new HashMap<>();
            for (var entry : entries.values()) {
                claims.computeIfAbsent(entry.node(), _ -> new FirstClaims())
                        .add(entry)
                        .map(other -> shared(entry, other))
                        .ifPresent(remarks::add);
                byNode.computeIfAbsent(entry.node(), _ -> new ArrayList<>()).add(entry);
            }
            return remarks;
        }

        private static LineProblem shared(MapEntry entry, MapEntry other) {
            var node = Shown.of(entry.node());
            var gpu = other.gpus().meeting(entry.gpus()).orElse("all");
            return new LineProblem(
                    entry.line(),
                    "%d=%s:%s".formatted(entry.ordinal(), entry.node(), entry.devices()),
                    "GPU %s of %s is also given to replica %d: both share it".formatted(gpu, node, other.ordinal()));
        }
    }
}
