package dev.berth.core.share;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the containers of one pod ask for, in their order.
 *
 * @param containers those that run together until the pod ends
 * @param sidecars those that run beside them, and beside the ones that prepare
 * @param preparing those that run one after the other before the first container starts
 */
public record ShareDemand(List<Slice> containers, List<Slice> sidecars, List<Slice> preparing) {
    public ShareDemand {
        containers = List.copyOf(containers);
        sidecars = List.copyOf(sidecars);
        preparing = List.copyOf(preparing);
    }

    public static ShareDemand of(Slice... containers) {
        return new ShareDemand(List.of(containers), List.of(), List.of());
    }

    public Stream<Slice> slices() {
        return Stream.of(containers, sidecars, preparing).flatMap(List::stream);
    }

    /** The cores that it counts for in a quota. */
    public long cores() {
        long together = sum(containers) + sum(sidecars);
        long largest = preparing.stream().mapToLong(Slice::cores).max().orElse(0);
        return Math.max(together, sum(sidecars) + largest);
    }

    private static long sum(List<Slice> slices) {
        return slices.stream().mapToLong(Slice::cores).sum();
    }
}
