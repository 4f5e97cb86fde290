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
import java.util.OptionalInt;

/** The cards that maps name, by their index. */
final class NumberedCards extends DoorCards {
    private final Cache<Node> nodes;

    NumberedCards(Cache<Node> nodes, Pods pods) {
        super(
                Door.PINNER,
                nodes,
                pods,
                node -> Device.numbered(node, gpus(nodes, node).most()));
        this.nodes = nodes;
    }

    static CardNames names(Node node) {
        var name = new NodeName(node.getMetadata().getName());
        var devices = Device.numbered(name, NodeGpus.of(node).most());
        return new CardNames(Door.PINNER, devices, CardUuids.of(node), _ -> false);
    }

    private static NodeGpus gpus(Cache<Node> nodes, NodeName name) {
        return nodes.find("", name.value()).map(NodeGpus::of).orElse(NodeGpus.UNSAID);
    }

    @Override
    protected OptionalInt count(NodeName name) {
        return gpus(nodes, name).count();
    }
}
