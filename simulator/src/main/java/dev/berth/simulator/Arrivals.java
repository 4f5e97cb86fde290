package dev.berth.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * In which order nodes break ties and pods arrive when a cluster is filled. All chance comes from the seed, through a
 * generator that mixes neighbouring seeds well.
 */
final class Arrivals {
    private Arrivals() {}

    static List<Machine> order(List<Machine> machines, long seed) {
        var order = new ArrayList<>(machines);
        order.sort(Comparator.comparing(Machine::name));
        Collections.shuffle(order, new SplittableRandom(seed));
        return order;
    }

    /**
     * Every pod once, then pods drawn with replacement, as long as they do not ask for more than this in all; of a list
     * that asks for more, what comes up to it.
     *
     * @param most hundredths of a GPU
     */
    static List<Task> upTo(long most, List<Task> tasks, long seed) {
        // Another stream than the nodes' order has.
        var chance = new SplittableRandom(seed).split();
        var shuffled = new ArrayList<>(tasks);
        shuffled.sort(Comparator.comparing(Task::name));
        Collections.shuffle(shuffled, chance);
        var arriving = new ArrayList<Task>();
        long asked = 0;
        for (var task : shuffled) {
            if (asked + task.cores() > most) {
                return arriving;
            }
            arriving.add(task);
            asked += task.cores();
        }
        while (asked > 0 && asked < most) {
            var task = shuffled.get(chance.nextInt(shuffled.size()));
            if (asked + task.cores() > most) {
                return arriving;
            }
            arriving.add(task);
            asked += task.cores();
        }
        return arriving;
    }
}
