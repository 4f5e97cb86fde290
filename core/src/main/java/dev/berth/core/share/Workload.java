package dev.berth.core.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The slices that are usually asked for, each with its share of all. */
public record Workload(List<Kind> kinds) {
    public static final Workload UNKNOWN = new Workload(List.of());

    /** So much of all pods counts as typical, as in Weng et al. */
    public static final double TYPICAL = 0.95;

    /** More kinds hardly change what is likely, and each costs time at every decision. */
    private static final int MOST_KINDS = 16;

    /** One kind of pod. */
    public record Kind(Parcel parcel, double probability) {
        public Kind(Slice slice, double probability) {
            this(Parcel.of(slice), probability);
        }

        public Slice slice() {
            return parcel.slice();
        }
    }

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

    /**
     * From how often each parcel was seen: the most frequent ones that together make up this part of all, those that
     * want no GPU among them, as in Weng et al.
     */
    public static Workload typical(Map<Parcel, Long> counts, double part) {
        double all = counts.values().stream().mapToLong(Long::longValue).sum();
        var kept = new ArrayList<Map.Entry<Parcel, Long>>();
        long covered = 0;
        for (var each : counts.entrySet().stream().sorted(MOST_FREQUENT_FIRST).toList()) {
            if (covered >= part * all) {
                break;
            }
            kept.add(each);
            covered += each.getValue();
        }
        double sum = covered;
        return new Workload(kept.stream()
                .map(each -> new Kind(each.getKey(), each.getValue() / sum))
                .toList());
    }

    private static final Comparator<Map.Entry<Parcel, Long>> MOST_FREQUENT_FIRST =
            Map.Entry.<Parcel, Long>comparingByValue()
                    .reversed()
                    .thenComparing(
                            Map.Entry::getKey,
                            Comparator.comparingLong(each -> each.slice().cores()))
                    .thenComparing(Map.Entry::getKey, Comparator.comparingLong(Parcel::cpu))
                    .thenComparing(
                            each -> String.join("|", new TreeSet<>(each.getKey().models())));

    /** Learns from the pods that come by; what was long ago weighs less and less. */
    public static final class Memory {
        private static final int MOST_PARCELS = 1024;
        private static final long FADES_AT = 10_000;

        /** What a few pods more say is no news: a change makes policies think again about every node. */
        private static final double NEWS = 1.5;

        private static final long FEW = 16;

        private final Map<Parcel, Long> counts = new HashMap<>();
        private final double part;
        private long total;
        private long seen;
        private long known;
        private Workload newest = UNKNOWN;

        public Memory() {
            this(TYPICAL);
        }

        /** @param part so much of all pods counts as typical */
        public Memory(double part) {
            this.part = part;
        }

        public void saw(Slice slice) {
            saw(Parcel.of(slice));
        }

        public synchronized void saw(Parcel parcel) {
            if (!counts.containsKey(parcel) && counts.size() >= MOST_PARCELS) {
                return;
            }
            counts.merge(parcel, 1L, Long::sum);
            seen++;
            if (++total >= FADES_AT) {
                counts.replaceAll((_, count) -> count / 2);
                counts.values().removeIf(count -> count == 0);
                total = counts.values().stream().mapToLong(Long::longValue).sum();
            }
        }

        public synchronized Workload workload() {
            if (seen != known && (seen <= FEW || seen >= Math.min(known * NEWS, known + FADES_AT / 2.0))) {
                newest = typical(counts, part);
                known = seen;
            }
            return newest;
        }
    }
}
