package dev.berth.simulator;

import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The most that can be given out when all who have a place keep one, wherever, and whoever else fits may come: by
 * branch and bound, for clusters of a few GPUs.
 */
final class ExactRepacking {
    private final List<Task> tasks;
    private final int forced;
    private final long[][] cards;
    private final long[] cpu;
    private long best;

    private ExactRepacking(List<Machine> machines, List<Task> placed, List<Task> waiting) {
        this.tasks = new ArrayList<>(placed);
        this.tasks.addAll(waiting);
        this.forced = placed.size();
        this.cards = machines.stream()
                .map(machine -> {
                    var free = new long[machine.gpus()];
                    Arrays.fill(free, Slice.WHOLE);
                    return free;
                })
                .toArray(long[][]::new);
        this.cpu = machines.stream().mapToLong(Machine::cpu).toArray();
    }

    /** Hundredths of GPUs. */
    static long most(List<Machine> machines, List<Task> placed, List<Task> waiting) {
        var exact = new ExactRepacking(machines, placed, waiting);
        exact.from(0, 0);
        return exact.best;
    }

    private void from(int index, long taken) {
        if (index >= forced) {
            best = Math.max(best, taken);
        }
        long open = 0;
        for (var node : cards) {
            open += Arrays.stream(node).sum();
        }
        boolean hopeless = index >= forced && taken + Math.min(open, wanted(index)) <= best;
        if (index == tasks.size() || hopeless) {
            return;
        }
        var task = tasks.get(index);
        for (int node = 0; node < cards.length; node++) {
            if (cpu[node] >= task.parcel().cpu()) {
                cpu[node] -= task.parcel().cpu();
                on(node, task, index, taken);
                cpu[node] += task.parcel().cpu();
            }
        }
        if (index >= forced) {
            from(index + 1, taken);
        }
    }

    private long wanted(int index) {
        return tasks.subList(index, tasks.size()).stream()
                .mapToLong(Task::cores)
                .sum();
    }

    private void on(int node, Task task, int index, long taken) {
        long gpus = Math.max(1, task.parcel().slice().gpus());
        long each = task.cores() / gpus;
        var free = cards[node];
        if (gpus > 1) {
            var whole = new ArrayList<Integer>();
            for (int card = 0; card < free.length && whole.size() < gpus; card++) {
                if (free[card] == Slice.WHOLE) {
                    whole.add(card);
                }
            }
            if (whole.size() == gpus) {
                whole.forEach(card -> free[card] = 0);
                from(index + 1, taken + task.cores());
                whole.forEach(card -> free[card] = Slice.WHOLE);
            }
            return;
        }
        for (int card = 0; card < free.length; card++) {
            boolean like = card > 0 && free[card] == free[card - 1];
            if (free[card] >= each && !like) {
                free[card] -= each;
                from(index + 1, taken + task.cores());
                free[card] += each;
            }
        }
    }
}
