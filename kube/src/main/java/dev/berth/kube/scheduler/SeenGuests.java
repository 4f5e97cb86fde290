package dev.berth.kube.scheduler;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.CountedPods;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.schedule.World;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** What bound pods show of GPUs that are held by number, whoever bound them. */
final class SeenGuests implements Evidence {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final World world;
    private final Supplier<Ledger> ledger;

    SeenGuests(Cluster cluster, World world, Supplier<Ledger> ledger) {
        this.cluster = cluster;
        this.world = world;
        this.ledger = ledger;
    }

    @Override
    public Door door() {
        return Door.OUTSIDE;
    }

    @Override
    public boolean synced() {
        return world.synced();
    }

    @Override
    public Collection<NodeName> nodes() {
        var nodes = new TreeSet<NodeName>();
        for (var pod : world.pods().all()) {
            Pods.nodeOf(pod)
                    .filter(_ -> !Sighting.finished(pod) && CountedPods.gpus(pod) > 0)
                    .ifPresent(nodes::add);
        }
        return nodes;
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return CountedPods.on(world.pods(), node).stream()
                .filter(guest -> !ofADoor(guest.holder().id(), node))
                .flatMap(guest -> guest.lines(Entry.State.CONFIRMED).stream())
                .toList();
    }

    /** Whether the pod has its cards from a door, and asks for their number beside. */
    private boolean ofADoor(String uid, NodeName node) {
        return ledger.get()
                .of(node)
                .entries()
                .map(Entry::holder)
                .anyMatch(holder -> holder.door() != Door.OUTSIDE
                        && holder.uid().filter(uid::equals).isPresent());
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        var holder = entry.holder();
        return Look.of(
                Sighting.of(cluster, holder.namespace(), holder.name(), holder.id(), PATIENCE),
                pod -> Pods.nodeOf(pod).equals(Optional.of(node)) && !ofADoor(holder.id(), node)
                        ? Look.STILL_HELD
                        : Look.GONE);
    }
}
