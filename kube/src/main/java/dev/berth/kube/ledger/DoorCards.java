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
import java.util.function.Function;

/** What a door knows of the cards of nodes, so that it and the others can tell which are the same. */
public class DoorCards {
    private final Door door;
    private final Cache<Node> nodes;
    private final Pods pods;
    private final Function<NodeName, List<Device>> devices;

    /**
     * Of a door that has these caches.
     *
     * @param devices a node's devices under the door's own names
     */
    public DoorCards(Door door, Cache<Node> nodes, Pods pods, Function<NodeName, List<Device>> devices) {
        this.door = door;
        this.nodes = nodes;
        this.pods = pods;
        this.devices = devices;
    }

    /** Whether a device of which neither UUID nor index is published may be a card. */
    protected boolean maybeCard(Device device) {
        return false;
    }

    /** How many devices a node has, where that is known. */
    protected OptionalInt count(NodeName node) {
        int count = devices.apply(node).size();
        return count == 0 ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** Names nodes of which something may be known now that was not; to be called after the door's own listeners. */
    public void onChange(Consumer<NodeName> told) {
        nodes.onChange(
                change -> told.accept(new NodeName(change.newest().getMetadata().getName())));
        pods.onChange(CountedPods.telling(told));
    }

    CardNames names(NodeName node) {
        return new CardNames(door, devices.apply(node), CardUuids.of(nodes, node), this::maybeCard);
    }

    List<Guest> guests(NodeName node) {
        return CountedPods.on(pods, node);
    }
}
