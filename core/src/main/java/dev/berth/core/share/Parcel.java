package dev.berth.core.share;

import java.util.Set;

/**
 * What one pod asks of a node: a slice of its GPUs, and CPU beside it.
 *
 * @param cpu thousandths of a core
 * @param models the GPU models that will do; none: any
 */
public record Parcel(Slice slice, long cpu, Set<String> models) {
    public Parcel {
        models = Set.copyOf(models);
    }

    public static Parcel of(Slice slice) {
        return new Parcel(slice, 0, Set.of());
    }

    public boolean suits(String model) {
        return models.isEmpty() || models.contains(model);
    }
}
