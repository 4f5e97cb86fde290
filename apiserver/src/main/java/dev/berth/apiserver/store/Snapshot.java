package dev.berth.apiserver.store;

import org.jspecify.annotations.Nullable;

/** A table as it was at one revision. */
public final class Snapshot {
    private final long revision;
    private final SortedTree tree;

    Snapshot(long revision, SortedTree tree) {
        this.revision = revision;
        this.tree = tree;
    }

    /** Takes the entries in order until it says that it has enough. */
    public interface Visitor {
        boolean visit(String key, Stored value);
    }

    public long revision() {
        return revision;
    }

    public int size() {
        return tree.size();
    }

    public @Nullable Stored get(String key) {
        return tree.get(key);
    }

    /** Visits the entries whose key is not before {@code from} and starts with {@code prefix}, in order. */
    public void visit(String from, String prefix, Visitor visitor) {
        tree.visit(from, prefix, visitor::visit);
    }

    /** How many keys with the prefix are not before {@code from}. */
    public int count(String from, String prefix) {
        return tree.count(from, prefix);
    }
}
