package dev.berth.core.move;

import dev.berth.core.NodeName;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Small clusters: by hand, and by chance from a seed. */
final class Layouts {
    private static final int[] SIZES = {20, 30, 40, 50, 60, 80, 100, 100, 200};

    private Layouts() {}

    /** Nodes with so many GPUs each, and CPU for so many pods of one core. */
    static Layout of(int cpu, int... gpus) {
        return new Layout(IntStream.range(0, gpus.length)
                .mapToObj(node -> new Site(
                        new NodeName("n" + node),
                        "",
                        new GpuCapacity((long) gpus[node] * Slice.WHOLE, 0),
                        Amounts.of(cpu * 1000L, 0)))
                .toList());
    }

    /** A pod of one core that any node suits. */
    static Need need(Layout layout, int cores) {
        return need(layout, cores, 1);
    }

    static Need need(Layout layout, int cores, int cpu) {
        return new Need(
                cores == 0 ? List.of() : List.of(new Slice(cores, 0)),
                Amounts.of(cpu * 1000L, 0),
                NodeSet.of(layout.sites().size(), _ -> true));
    }

    static int pod(Layout layout, String name, int cores, int node, Integer... devices) {
        return layout.add(
                Tenant.movable(name, need(layout, cores)),
                new Spot(node, devices.length == 0 ? List.of() : List.of(List.of(devices))));
    }

    static int fixed(Layout layout, String name, int cores, int node, Integer... devices) {
        return layout.add(
                new Tenant(name, need(layout, cores), Optional.of("nobody makes it again")),
                new Spot(node, List.of(List.of(devices))));
    }

    /** Two or three nodes, up to six pods wherever they found room, some of which stay, and a need. */
    static Case random(long seed) {
        var chance = new SplittableRandom(seed);
        int nodes = chance.nextInt(2, 4);
        var gpus = IntStream.range(0, nodes).map(_ -> chance.nextInt(1, 4)).toArray();
        var layout = of(chance.nextInt(2, 6), gpus);
        int pods = chance.nextInt(2, 7);
        for (int pod = 0; pod < pods; pod++) {
            var need = randomNeed(layout, chance);
            var spots = new ArrayList<Spot>();
            for (int node = 0; node < nodes; node++) {
                spots.addAll(layout.spots(need, node));
            }
            if (!spots.isEmpty()) {
                var stays = chance.nextInt(8) == 0 ? Optional.of("it stays") : Optional.<String>empty();
                layout.add(new Tenant("pod-" + pod, need, stays), spots.get(chance.nextInt(spots.size())));
            }
        }
        return new Case(layout, randomNeed(layout, chance));
    }

    private static Need randomNeed(Layout layout, SplittableRandom chance) {
        int without = chance.nextInt(6);
        return new Need(
                chance.nextInt(10) == 0 ? List.of() : List.of(new Slice(SIZES[chance.nextInt(SIZES.length)], 0)),
                Amounts.of(1000L * chance.nextInt(1, 4), 0),
                NodeSet.of(layout.sites().size(), node -> node != without));
    }

    record Case(Layout layout, Need need) {}
}
