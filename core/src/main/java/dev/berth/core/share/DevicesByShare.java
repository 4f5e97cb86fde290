package dev.berth.core.share;

import dev.berth.core.DeviceId;
import dev.berth.core.Share;
import dev.berth.core.demand.Demand;
import dev.berth.core.policy.DeviceView;
import dev.berth.core.policy.NodeView;
import dev.berth.core.policy.Pack;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Grant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy that knows slices, asked about a node whose devices are given out whole, or by whatever is measured of them:
 * one without cores is all there or not there at all. Of the rest of the node nothing is known. Devices are tried as
 * published.
 */
record DevicesByShare(SharePolicy policy) implements Policy {
    /** Whoever gives out whole devices learns nothing of what is usual: as many want one as two, four and eight. */
    static final Workload WHOLE_DEVICES = Workload.seen(Map.of(whole(1), 1L, whole(2), 1L, whole(4), 1L, whole(8), 1L));

    private static Slice whole(int devices) {
        return new Slice((long) devices * Slice.WHOLE, 0);
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
        var before = new long[node.devices().size()];
        var places = new HashMap<DeviceId, Integer>();
        for (int place = 0; place < before.length; place++) {
            var device = node.devices().get(place);
            before[place] = cores(device);
            places.put(device.device().id(), place);
        }
        var after = before.clone();
        for (var grant : grants) {
            var place = places.get(grant.device().id());
            if (place != null && grant.place().equals(node.name()) && !grant.admin()) {
                after[place] = Math.max(0, after[place] - cores(grant.share()));
            }
        }
        return policy.node(
                GpuNode.withCores(node.name(), Host.UNKNOWN, before),
                GpuNode.withCores(node.name(), Host.UNKNOWN, after));
    }

    private static long cores(DeviceView device) {
        if (device.left().containsKey(Pack.CORES)) {
            return Math.clamp((long) device.left(Pack.CORES), 0, Slice.WHOLE);
        }
        return device.untouched() ? Slice.WHOLE : 0;
    }

    private static long cores(Share share) {
        return switch (share) {
            case Share.Whole() -> Slice.WHOLE;
            case Share.Part(var amounts) -> {
                var cores = amounts.get(Pack.CORES);
                yield cores == null ? Slice.WHOLE : cores.value().longValue();
            }
        };
    }
}
