package dev.berth.core.move;

import dev.berth.core.share.Fragments;
import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a layout looks in numbers.
 *
 * @param gpus how many there are
 * @param given so many of them are given out
 * @param fragmented so many of them are free and of no use to typical pods
 * @param untouched so many of them nobody has any part of
 */
public record Figures(int gpus, double given, double fragmented, int untouched) {
    /** @param workload what pods usually ask for */
    public static Figures of(Layout layout, Fragments workload) {
        int gpus = 0;
        int untouched = 0;
        double fragmented = 0;
        for (int node = 0; node < layout.sites().size(); node++) {
            var state = layout.state(node);
            gpus += state.devices();
            untouched += state.untouched();
            fragmented += workload.of(state);
        }
        return new Figures(gpus, layout.taken() / (double) Slice.WHOLE, fragmented / Slice.WHOLE, untouched);
    }

    /** What the pods of a layout, and some that wait, usually ask for. */
    public static Workload typical(Layout layout, Collection<Need> waiting) {
        List<Need> needs = new ArrayList<>(waiting);
        for (int tenant = 0; tenant < layout.tenants(); tenant++) {
            needs.add(layout.tenant(tenant).need());
        }
        Map<Parcel, Long> counts = new HashMap<>();
        for (var need : needs) {
            for (var slice : need.slices()) {
                counts.merge(new Parcel(slice, need.rest().at(0), Set.of()), 1L, Long::sum);
            }
        }
        return Workload.typical(counts, Workload.TYPICAL);
    }
}
