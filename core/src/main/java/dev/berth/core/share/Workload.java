package dev.berth.core.share;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The slices that are usually asked for, each with its share of all. */
public record Workload(List<Kind> kinds) {
    public static final Workload UNKNOWN = new Workload(List.of());

    /** More kinds hardly change what is likely, and each costs time at every decision. */
    private static final int MOST_KINDS = 16;

    /** One kind of slice. */
    public record Kind(Slice slice, double probability) {}

    public Workload {
        kinds = List.copyOf(kinds);
    }

    /** From how often each slice was seen; the most frequent ones count. */
    public static Workload seen(Map<Slice, Long> counts) {
        var frequent = counts.entrySet().stream()
                .filter(each -> each.getValue() > 0 && each.getKey().cores() > 0)
                .sorted(Map.Entry.<Slice, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry::getKey, Comparator.comparingLong(Slice::cores))
                        .thenComparing(Map.Entry::getKey, Comparator.comparingLong(Slice::memory)))
                .limit(MOST_KINDS)
                .toList();
        double all = frequent.stream().mapToLong(Map.Entry::getValue).sum();
        return new Workload(frequent.stream()
                .map(each -> new Kind(each.getKey(), each.getValue() / all))
                .toList());
    }

    /** Learns from the slices that come by; what was long ago weighs less and less. */
    public static final class Memory {
        private static final int MOST_SLICES = 256;
        private static final long FADES_AT = 10_000;

        private final Map<Slice, Long> counts = new HashMap<>();
        private long total;
        private Workload newest = UNKNOWN;
        private boolean stale;

        public synchronized void saw(Slice slice) {
            if (!counts.containsKey(slice) && counts.size() >= MOST_SLICES) {
                return;
            }
            counts.merge(slice, 1L, Long::sum);
            stale = true;
            if (++total >= FADES_AT) {
                counts.replaceAll((_, count) -> count / 2);
                counts.values().removeIf(count -> count == 0);
                total = counts.values().stream().mapToLong(Long::longValue).sum();
            }
        }

        public synchronized Workload workload() {
            if (stale) {
                newest = seen(counts);
                stale = false;
            }
            return newest;
        }
    }
}
