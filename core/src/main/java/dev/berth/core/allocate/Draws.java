package dev.berth.core.allocate;

import dev.berth.core.Counter;
import dev.berth.core.Quantity;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What devices draw from the counters that they share. */
final class Draws {
    private Draws() {}

    /** Takes what the device draws from what is left. */
    static void take(Map<Counter, Quantity> left, Slot slot) {
        slot.device()
                .draws()
                .forEach((counter, amount) -> left.computeIfPresent(counter, (key, before) -> before.minus(amount)));
    }

    static void giveBack(Map<Counter, Quantity> left, Slot slot) {
        slot.device()
                .draws()
                .forEach((counter, amount) -> left.computeIfPresent(counter, (key, before) -> before.plus(amount)));
    }

    /** What is left of each counter, all sets together. Where others drew too much, nothing is: no other set pays. */
    static Map<String, Quantity> left(Map<Counter, Quantity> counters) {
        var left = new HashMap<String, Quantity>();
        counters.forEach((counter, amount) -> left.merge(counter.name(), amount.orZero(), Quantity::plus));
        return left;
    }

    /** The least that any one of these devices draws from each counter, whatever its set. */
    static Map<String, Quantity> cheapest(List<Slot> slots, BitSet devices) {
        var least = new HashMap<String, Quantity>();
        int first = devices.nextSetBit(0);
        for (int slot = first; slot >= 0; slot = devices.nextSetBit(slot + 1)) {
            var drawn = new HashMap<String, Quantity>();
            slots.get(slot)
                    .device()
                    .draws()
                    .forEach((counter, amount) -> drawn.merge(counter.name(), amount, Quantity::plus));
            if (slot == first) {
                least.putAll(drawn);
            } else {
                least.replaceAll((name, amount) -> min(amount, drawn.getOrDefault(name, Quantity.ZERO)));
            }
        }
        return least;
    }

    private static Quantity min(Quantity one, Quantity other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
