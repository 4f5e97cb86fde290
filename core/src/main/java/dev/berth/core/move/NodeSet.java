package dev.berth.core.move;

import java.util.BitSet;
import java.util.function.IntPredicate;

/** Some of a layout's nodes, by their place in it. Immutable. */
public final class NodeSet {
    private final BitSet nodes;
    /** Asked for often. */
    private final int hash;

    private NodeSet(BitSet nodes) {
        this.nodes = nodes;
        this.hash = nodes.hashCode();
    }

    /** Those of the first so many nodes that will do. */
    public static NodeSet of(int nodes, IntPredicate wanted) {
        var set = new BitSet(nodes);
        for (int node = 0; node < nodes; node++) {
            set.set(node, wanted.test(node));
        }
        return new NodeSet(set);
    }

    public boolean contains(int node) {
        return nodes.get(node);
    }

    /** The first one from this place on, or -1. */
    public int next(int from) {
        return nodes.nextSetBit(from);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof NodeSet that && hash == that.hash && nodes.equals(that.nodes));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return nodes.toString();
    }
}
