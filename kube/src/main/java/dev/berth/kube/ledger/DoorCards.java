package dev.berth.kube.ledger;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.NodeName;
import dev.berth.core.card.CardNames;
import dev.berth.core.card.Guest;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** What a door knows of the cards of nodes, so that it and the others can tell which are the same. */
public abstract class DoorCards {
    private final Door door;
    private final Cache<Node> nodes;
    private final Pods pods;

    /** Of a door that has these caches. */
    protected DoorCards(Door door, Cache<Node> nodes, Pods pods) {
        this.door = door;
        this.nodes = nodes;
        this.pods = pods;
    }

    /** A node's devices under the door's own names. */
    protected abstract List<Device> devices(NodeName node);

    /** Whether a device of which neither UUID nor index is published may be a card. */
    protected boolean maybeCard(Device device) {
        return false;
    }

    /** How many devices a node has, where that is known. */
    protected OptionalInt count(NodeName node) {
        int count = devices(node).size();
        return count == 0 ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** Names nodes of which something may be known now that was not; to be called after the door's own listeners. */
    public void onChange(Consumer<NodeName> told) {
        nodes.onChange(
                change -> told.accept(new NodeName(change.newest().getMetadata().getName())));
        pods.onChange(CountedPods.telling(told));
    }

    CardNames names(NodeName node) {
        return new CardNames(door, devices(node), CardUuids.of(nodes, node), this::maybeCard);
    }

    List<Guest> guests(NodeName node) {
        return CountedPods.on(pods, node);
    }
}
