package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;
import java.util.function.DoubleSupplier;

/**
 * Takes any node and any device with room: what the others are measured against.
 *
 * @param lots where the lots come from
 */
public record ShareRandom(DoubleSupplier lots) implements SharePolicy {
    @Override
    public String name() {
        return "random";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(lots.getAsDouble(), 0);
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        return new Rank(lots.getAsDouble(), 0);
    }

    @Override
    public boolean drawsLots() {
        return true;
    }
}
