package dev.berth.simulator;

import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** How full the nodes are over time; nodes that lie side by side by model and size share a row. */
public final class HeatMap {
    private static final int MOST_ROWS = 96;

    private final List<String> labels = new ArrayList<>();
    private final List<int[]> rows = new ArrayList<>();
    private final List<double[]> columns = new ArrayList<>();

    HeatMap(List<Machine> machines) {
        var order = IntStream.range(0, machines.size())
                .filter(node -> machines.get(node).gpus() > 0)
                .boxed()
                .sorted(Comparator.comparing(
                                (Integer node) -> machines.get(node).model())
                        .thenComparingInt(node -> -machines.get(node).gpus())
                        .thenComparing(node -> machines.get(node).name()))
                .toList();
        int each = Math.max(1, (order.size() + MOST_ROWS - 1) / MOST_ROWS);
        for (int from = 0; from < order.size(); from += each) {
            var members = order.subList(from, Math.min(order.size(), from + each));
            rows.add(members.stream().mapToInt(Integer::intValue).toArray());
            labels.add(machines.get(members.getFirst()).model());
        }
    }

    void look(SimulatedCluster cluster) {
        var column = new double[rows.size()];
        for (int row = 0; row < column.length; row++) {
            long taken = 0;
            long all = 0;
            for (int node : rows.get(row)) {
                taken += cluster.taken(node);
                all += (long) cluster.machines().get(node).gpus() * Slice.WHOLE;
            }
            column[row] = (double) taken / all;
        }
        columns.add(column);
    }

    /** The GPU model of each row. */
    public List<String> labels() {
        return List.copyOf(labels);
    }

    public int moments() {
        return columns.size();
    }

    /** The part of a row's GPUs that is given out at a moment. */
    public double at(int row, int moment) {
        return columns.get(moment)[row];
    }
}
