package dev.berth.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Who holds how much of which device, over all nodes and pools on the network: one page each. Immutable; a change costs
 * the same however many nodes there are.
 */
public final class Ledger {
    public static final Ledger EMPTY = new Ledger(Trie.empty());

    private final Trie<NodeName, Holdings> pages;

    private Ledger(Trie<NodeName, Holdings> pages) {
        this.pages = pages;
    }

    public Holdings of(NodeName place) {
        return pages.find(place).orElse(Holdings.EMPTY);
    }

    /** The same ledger with one page replaced. */
    public Ledger with(NodeName place, Holdings holdings) {
        return new Ledger(holdings.byDevice().isEmpty() ? pages.without(place) : pages.with(place, holdings));
    }

    /** The pages on which something is held, by name. */
    public Map<NodeName, Holdings> byNode() {
        var sorted = new TreeMap<NodeName, Holdings>();
        pages.forEach(sorted::put);
        return sorted;
    }

    /** Names every page that is another than in the earlier ledger. */
    public void changesSince(Ledger earlier, BiConsumer<NodeName, Holdings> changed) {
        pages.changesSince(earlier.pages, (place, holdings) -> changed.accept(place, holdings.orElse(Holdings.EMPTY)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ledger ledger && byNode().equals(ledger.byNode());
    }

    @Override
    public int hashCode() {
        return byNode().hashCode();
    }

    @Override
    public String toString() {
        return "ledger " + byNode();
    }
}
