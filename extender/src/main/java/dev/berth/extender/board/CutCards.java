package dev.berth.extender.board;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.DoorCards;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;

/** The cards that nodes cut into cores and memory for the extender, by their index. */
public final class CutCards extends DoorCards {
    private final Board board;

    public CutCards(Board board, Cache<Node> nodes, Pods pods) {
        super(Door.EXTENDER, nodes, pods);
        this.board = board;
    }

    @Override
    protected List<Device> devices(NodeName node) {
        return Device.numbered(node, board.devices(node).orElse(0));
    }
}
