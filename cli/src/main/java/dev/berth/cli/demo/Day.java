package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Arrival;
import dev.berth.cli.demo.Scene.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A day's script: pods come all day, the cluster fills up, a node fails and comes back, a quota is hit, a node is
 * drained. The same seed makes the same day.
 */
public record Day(Duration length, List<Moment> moments) {
    private static final int ARRIVALS = 36;
    private static final List<String> MODELS = List.of("a100", "h100", "l4", "t4");
    private static final List<Way> WAYS = List.of(Way.values());

    /** When, from the day's beginning, and what. */
    record Moment(Duration at, Scene scene) {}

    public Day {
        moments = List.copyOf(moments);
    }

    /** @param gpusPerNode how many a pod must ask for to fill a node */
    public static Day of(long seed, Duration length, List<String> nodes, int gpusPerNode) {
        var random = new SplittableRandom(seed);
        var moments = new ArrayList<Moment>();
        for (int i = 0; i < ARRIVALS; i++) {
            moments.add(new Moment(part(length, random.nextDouble(0.0, 0.95)), arrival(i, length, random)));
        }
        fullCluster(moments, length, nodes.size(), gpusPerNode);
        var failing = nodes.get(random.nextInt(nodes.size()));
        moments.add(new Moment(part(length, 0.45), new Scene.NodeFails(failing)));
        moments.add(new Moment(part(length, 0.52), new Scene.NodeReturns(failing)));
        quotaHit(moments, length);
        var drained = nodes.get(random.nextInt(nodes.size()));
        moments.add(new Moment(part(length, 0.75), new Scene.Drain(drained)));
        moments.add(new Moment(part(length, 0.85), new Scene.Reopen(drained)));
        moments.sort(Comparator.comparing(Moment::at));
        return new Day(length, moments);
    }

    private static Arrival arrival(int number, Duration length, SplittableRandom random) {
        var way = WAYS.get(random.nextInt(WAYS.size()));
        int amount = way == Way.EXTENDER ? 10 * random.nextInt(2, 7) : random.nextInt(1, 3);
        boolean oneOnly = way == Way.ADVISOR || way == Way.CLAIMS;
        var model = MODELS.get(random.nextInt(MODELS.size()));
        return new Arrival(
                "%s-%02d".formatted(way.name().toLowerCase(Locale.ROOT), number),
                way,
                oneOnly ? 1 : amount,
                way == Way.ASSIGNER || way == Way.CLAIMS ? model : "",
                part(length, random.nextDouble(0.05, 0.15)));
    }

    /** One more than there are nodes, each as large as a node: the last has to wait. */
    private static void fullCluster(List<Moment> moments, Duration length, int nodes, int gpusPerNode) {
        for (int i = 0; i <= nodes; i++) {
            moments.add(new Moment(
                    part(length, 0.25 + 0.002 * i),
                    new Arrival("whole-node-%d".formatted(i), Way.PLAIN, gpusPerNode, "", part(length, 0.08))));
        }
    }

    private static void quotaHit(List<Moment> moments, Duration length) {
        moments.add(new Moment(part(length, 0.6), new Scene.Quota(0)));
        moments.add(new Moment(part(length, 0.61), new Arrival("over-quota", Way.EXTENDER, 50, "", part(length, 0.1))));
        moments.add(new Moment(part(length, 0.68), Scene.Quota.LIFTED));
    }

    private static Duration part(Duration whole, double share) {
        return Duration.ofMillis(Math.round(whole.toMillis() * share));
    }
}
