package dev.berth.core.move;

import dev.berth.core.share.Slice;
import java.util.List;

/**
 * What a pod needs wherever it goes.
 *
 * @param slices of GPUs, one for each container that asks for some; none for a pod without GPUs
 * @param rest what it needs besides
 * @param suits the nodes that would take it if they had room
 */
public record Need(List<Slice> slices, Amounts rest, NodeSet suits) {
    public Need {
        slices = List.copyOf(slices);
    }

    /** Hundredths of a GPU, of all its GPUs together. */
    public long cores() {
        return slices.stream()
                .mapToLong(slice -> slice.exclusive() ? slice.gpus() * Slice.WHOLE : slice.cores())
                .sum();
    }
}
