package dev.berth.core.allocate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Gives each of several takers devices of its own out of those it can use, if that is possible (augmenting paths). */
final class Matching {
    private static final int NOBODY = -1;

    private final List<BitSet> usable;
    private final int[] taker;

    Matching(List<BitSet> usable) {
        this.usable = usable;
        this.taker = new int[usable.stream().mapToInt(BitSet::length).max().orElse(0)];
        Arrays.fill(taker, NOBODY);
    }

    /** Whether every taker can have its number of devices at the same time. */
    boolean serves(List<Integer> counts) {
        for (int who = 0; who < counts.size(); who++) {
            for (int more = counts.get(who); more > 0; more--) {
                if (!serve(who, new BitSet())) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean serve(int who, BitSet seen) {
        var devices = usable.get(who);
        for (int device = devices.nextSetBit(0); device >= 0; device = devices.nextSetBit(device + 1)) {
            if (taker[device] == NOBODY) {
                taker[device] = who;
                return true;
            }
        }
        for (int device = devices.nextSetBit(0); device >= 0; device = devices.nextSetBit(device + 1)) {
            int holder = taker[device];
            if (holder != who && !seen.get(holder)) {
                seen.set(holder);
                if (serve(holder, seen)) {
                    taker[device] = who;
                    return true;
                }
            }
        }
        return false;
    }
}
