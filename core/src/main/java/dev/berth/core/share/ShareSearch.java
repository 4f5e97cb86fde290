package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds devices for a pod on one node: its containers in their order, each with those before it charged, and never a
 * step back. An agent on the node that places them one by one comes to the same result.
 */
public final class ShareSearch {
    private ShareSearch() {}

    public static Optional<SharePlacement> place(GpuNode node, ShareDemand demand, SharePolicy policy) {
        if (node.devices() == 0) {
            return Optional.empty();
        }
        var all = new Attempt(node, policy);
        var containers = all.seat(demand.containers());
        if (containers.isEmpty()) {
            return Optional.empty();
        }
        var sidecars = all.seat(demand.sidecars());
        if (sidecars.isEmpty()) {
            return Optional.empty();
        }
        var held = all.held;
        var preparing = new ArrayList<List<Integer>>();
        for (var slice : demand.preparing()) {
            var early = new Attempt(node, policy);
            early.take(demand.sidecars(), sidecars.get());
            var found = early.seatBefore(slice, held);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            preparing.add(found.get());
            early.held.forEach((device, most) -> held.merge(device, most, Held::max));
        }
        var after = preparing.isEmpty() ? all.node : charged(node, held);
        return Optional.of(new SharePlacement(containers.get(), sidecars.get(), preparing, held, after));
    }

    /**
     * The node with one slice charged, if there is room: what {@link #place} does, quickly, and without a list of
     * where.
     *
     * @param rest what will be left of the node besides its GPUs
     */
    public static Optional<GpuNode> charged(GpuNode node, Slice slice, Host rest, SharePolicy policy) {
        if (slice.exclusive()) {
            return slice.gpus() <= node.untouched()
                    ? Optional.of(node.chargedWhole((int) slice.gpus()).on(rest))
                    : Optional.empty();
        }
        if (slice.cores() == 0 && slice.memory() == 0) {
            return Optional.of(node.on(rest));
        }
        int best = bestDevice(node, slice, rest, policy);
        return best < 0 ? Optional.empty() : Optional.of(node.charged(best, slice, rest));
    }

    /** The device with the lowest rank of those that have room, or -1. */
    private static int bestDevice(GpuNode node, Slice slice, Host rest, SharePolicy policy) {
        int best = -1;
        Rank lowest = Rank.EQUAL;
        for (int device = 0; device < node.devices(); device++) {
            boolean alike = device > 0 && !policy.drawsLots() && node.alike(device - 1, device);
            if (!alike && node.fits(device, slice)) {
                var rank = policy.device(node, device, slice, rest);
                if (best < 0 || rank.compareTo(lowest) < 0) {
                    best = device;
                    lowest = rank;
                }
            }
        }
        return best;
    }

    private static GpuNode charged(GpuNode node, SortedMap<Integer, Held> held) {
        var after = node;
        for (var each : held.entrySet()) {
            after = after.charged(each.getKey(), each.getValue());
        }
        return after;
    }

    /** A node that is being filled. */
    private static final class Attempt {
        private final SharePolicy policy;
        private final SortedMap<Integer, Held> held = new TreeMap<>();
        private GpuNode node;

        Attempt(GpuNode node, SharePolicy policy) {
            this.node = node;
            this.policy = policy;
        }

        Optional<List<List<Integer>>> seat(List<Slice> slices) {
            var found = new ArrayList<List<Integer>>(slices.size());
            for (var slice : slices) {
                var devices = slice.exclusive() ? exclusive(slice) : share(slice);
                if (devices.isEmpty()) {
                    return Optional.empty();
                }
                take(slice, devices);
                found.add(devices);
            }
            return Optional.of(found);
        }

        /** For a slice that is given back before the pod's own holdings are needed: those devices first. */
        Optional<List<Integer>> seatBefore(Slice slice, SortedMap<Integer, Held> mine) {
            var wanted = slice.exclusive() ? Held.WHOLE : Held.part(slice);
            var own = IntStream.range(0, node.devices())
                    .filter(device -> node.fits(device, slice))
                    .filter(device ->
                            mine.containsKey(device) && mine.get(device).covers(wanted))
                    .boxed()
                    .toList();
            int count = slice.exclusive() ? Math.toIntExact(Math.min(Integer.MAX_VALUE, slice.gpus())) : 1;
            if (own.size() >= count) {
                var devices = own.subList(0, count);
                take(slice, devices);
                return Optional.of(devices);
            }
            return seat(List.of(slice)).map(List::getFirst);
        }

        void take(List<Slice> slices, List<List<Integer>> devices) {
            for (int place = 0; place < slices.size(); place++) {
                take(slices.get(place), devices.get(place));
            }
        }

        private void take(Slice slice, List<Integer> devices) {
            var share = slice.exclusive() ? Held.WHOLE : Held.part(slice);
            for (int device : devices) {
                node = node.charged(device, share);
                held.merge(device, share, Held::plus);
            }
        }

        private List<Integer> share(Slice slice) {
            int best = bestDevice(node, slice, node.host(), policy);
            return best < 0 ? List.of() : List.of(best);
        }

        /** Untouched GPUs of a node are alike: the first ones do. */
        private List<Integer> exclusive(Slice slice) {
            if (slice.gpus() > node.devices()) {
                return List.of();
            }
            var free = IntStream.range(0, node.devices())
                    .filter(node::untouched)
                    .limit(slice.gpus())
                    .boxed()
                    .toList();
            return free.size() < slice.gpus() ? List.of() : free;
        }
    }
}
