package dev.berth.pinner.scheduler;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.NodeName;
import dev.berth.core.card.CardNames;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.ledger.DoorCards;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.OptionalInt;

/** The cards that maps name, by their index. */
final class NumberedCards extends DoorCards {
    /** A node that does not say how many GPUs it has may have as many: more stand in no machine of today. */
    private static final int PERHAPS = 16;

    private final Cache<Node> nodes;

    NumberedCards(Cache<Node> nodes, Pods pods) {
        super(Door.PINNER, nodes, pods, node -> devices(node, count(nodes, node)));
        this.nodes = nodes;
    }

    static CardNames names(Node node) {
        var name = new NodeName(node.getMetadata().getName());
        return new CardNames(Door.PINNER, devices(name, count(node)), CardUuids.of(node), _ -> false);
    }

    private static List<Device> devices(NodeName node, OptionalInt count) {
        return Device.numbered(node, count.orElse(PERHAPS));
    }

    private static OptionalInt count(Node node) {
        var said = GpuCount.of(node);
        int uuids = CardUuids.of(node).size();
        return said.isPresent() || uuids == 0 ? said : OptionalInt.of(uuids);
    }

    private static OptionalInt count(Cache<Node> nodes, NodeName name) {
        return nodes.find("", name.value()).map(NumberedCards::count).orElse(OptionalInt.empty());
    }

    @Override
    protected OptionalInt count(NodeName name) {
        return count(nodes, name);
    }
}
