package dev.berth.claims.scheduler;

import dev.berth.claims.demand.PoolDevices;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.DoorCards;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** The cards in pools, by pool and name; pools have all sorts of other devices too. */
final class PooledCards extends DoorCards {
    private final Catalogue catalogue;

    PooledCards(Catalogue catalogue, Cache<Node> nodes, Pods pods) {
        super(Door.CLAIMS, nodes, pods, place -> catalogue.inventory().devices(place));
        this.catalogue = catalogue;
    }

    @Override
    protected OptionalInt count(NodeName place) {
        return catalogue.deviceCount(place);
    }

    @Override
    protected boolean maybeCard(Device device) {
        return gpus(device);
    }

    /** The driver's name is all there is to tell by; what draws from counters may be a part of a card. */
    static boolean gpus(Device device) {
        var driver = SliceDevice.is(device) && device.draws().isEmpty()
                ? SliceDevice.driver(device)
                : PoolDevices.driver(device);
        return driver.toLowerCase(Locale.ROOT).contains("gpu");
    }

    @Override
    public void onChange(Consumer<NodeName> told) {
        super.onChange(told);
        catalogue.onStocked(told);
    }
}
