package dev.berth.core.move;

import java.util.Arrays;

/**
 * So much of each thing besides GPUs, in an order that a whole layout shares: CPU in thousandths of a core, memory, and
 * then whatever else is counted.
 */
public final class Amounts {
    private final long[] amounts;

    private Amounts(long[] amounts) {
        this.amounts = amounts;
    }

    public static Amounts of(long... amounts) {
        return new Amounts(amounts.clone());
    }

    public int size() {
        return amounts.length;
    }

    public long at(int place) {
        return amounts[place];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Amounts that && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(amounts);
    }

    @Override
    public String toString() {
        return Arrays.toString(amounts);
    }
}
