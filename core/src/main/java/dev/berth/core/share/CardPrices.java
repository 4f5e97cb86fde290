package dev.berth.core.share;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What room on a GPU is worth to a workload, from 0 to 1 for a free one. Each size of pod has a price: the part of a
 * GPU that it really costs when all pods are packed as tightly as their sizes allow. Half a GPU is worth more than the
 * sum of what is left beside pods that leave gaps that nobody fits. The prices are the dual of the cutting-stock
 * program, found by multiplicative weights: sizes that are covered least become dearer, and each round packs one GPU as
 * dear as it can.
 */
final class CardPrices {
    private static final int ROUNDS = 1_500;
    private static final int SETTLING = ROUNDS / 5;
    private static final double STEP = 0.05;

    private final int[] sizes;
    private final double[] shares;
    private final DearestPacking packing;
    private final double[] worth = new double[Slice.WHOLE + 1];

    CardPrices(Workload workload) {
        var bySize = sizes(workload);
        this.sizes = bySize.keySet().stream().mapToInt(Integer::intValue).toArray();
        this.shares = bySize.values().stream().mapToDouble(Double::doubleValue).toArray();
        this.packing = new DearestPacking(sizes);
        double whole = packing.pack(sizes.length == 0 ? new double[0] : prices());
        for (int room = 0; room <= Slice.WHOLE; room++) {
            worth[room] = whole == 0 ? (double) room / Slice.WHOLE : packing.worth(room) / whole;
        }
    }

    /** What this many free cores of one GPU are worth. */
    double worth(long cores) {
        return worth[(int) cores];
    }

    /** How often each size is wanted of a GPU; who takes several whole ones wants the whole size several times. */
    private static SortedMap<Integer, Double> sizes(Workload workload) {
        var sizes = new TreeMap<Integer, Double>();
        for (var kind : workload.kinds()) {
            var slice = kind.slice();
            if (slice.cores() > 0) {
                int size = (int) Math.min(Slice.WHOLE, slice.cores());
                sizes.merge(size, kind.probability() * Math.max(1, slice.gpus()), Double::sum);
            }
        }
        return sizes;
    }

    private double[] prices() {
        var covered = new double[sizes.length];
        var prices = new double[sizes.length];
        var mean = new double[sizes.length];
        for (int round = 0; round < ROUNDS; round++) {
            double least = leastCovered(covered);
            for (int size = 0; size < sizes.length; size++) {
                prices[size] = Math.exp(STEP * (least - covered[size] / shares[size])) / shares[size];
            }
            double whole = packing.pack(prices);
            if (round >= SETTLING) {
                for (int size = 0; size < sizes.length; size++) {
                    mean[size] += prices[size] / whole;
                }
            }
            cover(covered);
        }
        return mean;
    }

    private double leastCovered(double[] covered) {
        double least = Double.POSITIVE_INFINITY;
        for (int size = 0; size < sizes.length; size++) {
            least = Math.min(least, covered[size] / shares[size]);
        }
        return least;
    }

    /** What was packed last counts, in a step that none of its sizes feels more than once. */
    private void cover(double[] covered) {
        var packed = packing.packed();
        double most = 0;
        for (int size = 0; size < sizes.length; size++) {
            most = Math.max(most, packed[size] / shares[size]);
        }
        for (int size = 0; size < sizes.length; size++) {
            covered[size] += packed[size] / most;
        }
    }
}
