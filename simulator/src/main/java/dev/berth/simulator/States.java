package dev.berth.simulator;

import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Host;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The states that nodes are in, numbered from 0, and which nodes are in each. A number whose last node has left is
 * given to the next new state, under a new version.
 */
final class States {
    private static final int NO_STATE = -1;

    private final Map<Looks, Integer> numbers = new HashMap<>();
    private final Looks[] looks;
    private final GpuNode[] states;
    private final BitSet[] nodes;
    private final int[] count;
    private final int[] first;
    private final int[] version;
    private final long[] memory;
    private final int[] stateOf;
    private final int[] free;
    private int freed;
    private int size;

    States(int most) {
        this.looks = new Looks[most];
        this.states = new GpuNode[most];
        this.nodes = new BitSet[most];
        this.count = new int[most];
        this.first = new int[most];
        this.version = new int[most];
        this.memory = new long[most];
        this.free = new int[most];
        this.stateOf = new int[most];
        Arrays.fill(stateOf, NO_STATE);
    }

    /** Two nodes that look alike are alike to every policy. */
    private static final class Looks {
        private final Host host;
        private final long[] cores;
        private final int hash;

        Looks(GpuNode node) {
            this.host = node.host();
            this.cores = new long[node.devices()];
            for (int device = 0; device < cores.length; device++) {
                cores[device] = node.freeCores(device);
            }
            this.hash = 31 * host.hashCode() + Arrays.hashCode(cores);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Looks looks
                    && hash == looks.hash
                    && Arrays.equals(cores, looks.cores)
                    && host.equals(looks.host);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** The node is in this state from now on. */
    void put(int node, GpuNode state) {
        leave(node);
        var key = new Looks(state);
        int number = numbers.computeIfAbsent(key, unseen -> number(unseen, state));
        stateOf[node] = number;
        nodes[number].set(node);
        first[number] = count[number]++ == 0 ? node : Math.min(first[number], node);
    }

    private int number(Looks key, GpuNode state) {
        int number = freed > 0 ? free[--freed] : size++;
        looks[number] = key;
        states[number] = state;
        memory[number] = state.host().memory();
        version[number]++;
        if (nodes[number] == null) {
            nodes[number] = new BitSet();
        }
        return number;
    }

    private void leave(int node) {
        int number = stateOf[node];
        if (number == NO_STATE) {
            return;
        }
        nodes[number].clear(node);
        if (--count[number] == 0) {
            numbers.remove(looks[number]);
            memory[number] = -1;
            free[freed++] = number;
        } else if (first[number] == node) {
            first[number] = nodes[number].nextSetBit(node);
        }
    }

    /** Numbers below this may be in use; {@link #nodes} tells. */
    int size() {
        return size;
    }

    int distinct() {
        return numbers.size();
    }

    GpuNode at(int state) {
        return states[state];
    }

    int nodes(int state) {
        return count[state];
    }

    /** The node that comes first in the order. */
    int first(int state) {
        return first[state];
    }

    int any(int state, RandomGenerator lots) {
        int node = nodes[state].nextSetBit(0);
        for (int skip = lots.nextInt(count[state]); skip > 0; skip--) {
            node = nodes[state].nextSetBit(node + 1);
        }
        return node;
    }

    int version(int state) {
        return version[state];
    }

    /** What each of its nodes has left; -1 where there are none. */
    long memory(int state) {
        return memory[state];
    }
}
