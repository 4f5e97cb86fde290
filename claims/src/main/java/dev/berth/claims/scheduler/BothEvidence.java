package dev.berth.claims.scheduler;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.kube.ledger.Evidence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;

/**
 * What claims in either language show: the prototype's devices have a pool and a name, those of slices a driver too.
 */
record BothEvidence(Evidence prototype, Evidence resources) implements Evidence {
    @Override
    public Door door() {
        return Door.CLAIMS;
    }

    @Override
    public boolean synced() {
        return prototype.synced() && resources.synced();
    }

    @Override
    public Collection<NodeName> nodes() {
        var nodes = new HashSet<>(prototype.nodes());
        nodes.addAll(resources.nodes());
        return nodes;
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var entries = new ArrayList<>(prototype.shown(node));
        entries.addAll(resources.shown(node));
        return entries;
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        boolean ofSlice =
                entry.device().value().chars().filter(letter -> letter == '/').count() > 1;
        return ofSlice ? resources.look(node, entry) : prototype.look(node, entry);
    }
}
