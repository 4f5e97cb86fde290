package dev.berth.core.card;

import dev.berth.core.Holder;

/** Somebody who holds so many GPUs of a node, and nobody knows which. */
public record Guest(Holder holder, int gpus) {
    public Guest {
        if (gpus < 1) {
            throw new IllegalArgumentException("%s holds %d GPUs".formatted(holder, gpus));
        }
    }
}
