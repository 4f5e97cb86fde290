package dev.berth.simulator;

import dev.berth.core.share.DearestPacking;
import dev.berth.core.share.Slice;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What no moving of pods can exceed. Forgets CPU, memory, models and which GPU is on which node, and lets GPUs be
 * filled in parts of patterns: what is left is a linear program over patterns of one GPU, and any prices of the sizes
 * give a bound on it (Lagrange); the prices are improved by following the subgradient.
 */
final class CardBound {
    private static final int ROUNDS = 4_000;
    private static final double FIRST_STEP = 20;
    private static final double COOLING = 0.02;

    private final int cards;
    private final int[] sizes;
    private final long[] least;
    private final long[] most;
    private final DearestPacking packing;

    private CardBound(int cards, SortedMap<Integer, long[]> bySize) {
        this.cards = cards;
        this.sizes = bySize.keySet().stream().mapToInt(Integer::intValue).toArray();
        this.packing = new DearestPacking(sizes);
        this.least = bySize.values().stream().mapToLong(each -> each[0]).toArray();
        this.most = bySize.values().stream().mapToLong(each -> each[1]).toArray();
    }

    /**
     * Hundredths of GPUs that can be given out at most.
     *
     * @param placed pods that have a place and keep one
     * @param waiting pods that may get one
     */
    static double of(int cards, Iterable<Task> placed, Iterable<Task> waiting) {
        var bySize = new TreeMap<Integer, long[]>();
        placed.forEach(task -> count(task, bySize, true));
        waiting.forEach(task -> count(task, bySize, false));
        return new CardBound(cards, bySize).bound();
    }

    private static void count(Task task, SortedMap<Integer, long[]> bySize, boolean placed) {
        if (task.cores() == 0) {
            return;
        }
        int size = (int) Math.min(Slice.WHOLE, task.cores());
        long cardsOf = task.cores() / size;
        var counts = bySize.computeIfAbsent(size, _ -> new long[2]);
        counts[0] += placed ? cardsOf : 0;
        counts[1] += cardsOf;
    }

    private double bound() {
        var prices = Arrays.stream(sizes).asDoubleStream().toArray();
        double best = (double) cards * Slice.WHOLE;
        for (int round = 0; round < ROUNDS; round++) {
            double value = cards * packing.pack(prices);
            var slope = Arrays.stream(packing.packed()).asDoubleStream().toArray();
            double length = 0;
            for (int size = 0; size < sizes.length; size++) {
                double gain = sizes[size] - prices[size];
                long pods = gain < 0 ? least[size] : most[size];
                value += gain * pods;
                slope[size] = cards * slope[size] - pods;
                length += slope[size] * slope[size];
            }
            best = Math.min(best, value);
            if (length == 0) {
                break;
            }
            double step = FIRST_STEP / (1 + round * COOLING) / Math.sqrt(length);
            for (int size = 0; size < sizes.length; size++) {
                prices[size] = Math.max(0, prices[size] - step * slope[size]);
            }
        }
        return best;
    }
}
