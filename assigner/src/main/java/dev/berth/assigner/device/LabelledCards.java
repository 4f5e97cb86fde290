package dev.berth.assigner.device;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.DoorCards;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;

/** The cards that nodes label for the assigner, by their UUIDs. */
public final class LabelledCards extends DoorCards {
    private final Gpus gpus;

    public LabelledCards(Gpus gpus, Cache<Node> nodes, Pods pods) {
        super(Door.ASSIGNER, nodes, pods);
        this.gpus = gpus;
    }

    @Override
    protected List<Device> devices(NodeName node) {
        return gpus.inventory().devices(node);
    }
}
