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
record BothEvidence(ClaimEvidence prototype, ResourceEvidence resources) implements Evidence {
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
    public boolean ended(Entry entry) {
        var claim = entry.holder().id();
        return prototype.seen().isGone(claim) || resources.seen().isGone(claim);
    }

    /** The name of a line's device does not say which language its claim is in: a card may be published in both. */
    @Override
    public Look look(NodeName node, Entry entry) {
        var claim = entry.holder().id();
        if (prototype.seen().of(claim).isPresent()) {
            return prototype.look(node, entry);
        }
        if (resources.seen().of(claim).isPresent()) {
            return resources.look(node, entry);
        }
        var look = resources.look(node, entry);
        return look == Look.GONE ? prototype.look(node, entry) : look;
    }
}
