package dev.berth.kube.scheduler;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.CountedPods;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.schedule.World;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
            var node = pod.getSpec().getNodeName();
            if (node != null && !node.isEmpty() && !Sighting.finished(pod) && CountedPods.gpus(pod) > 0) {
                nodes.add(new NodeName(node));
            }
        }
        return nodes;
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var lines = new ArrayList<Entry>();
        for (var pod : world.pods().on(node)) {
            if (!Sighting.finished(pod) && CountedPods.gpus(pod) > 0 && !doors(pod, node)) {
                lines.addAll(GuestBook.lines(pod, Entry.State.CONFIRMED));
            }
        }
        return lines;
    }

    /** Whether the pod has its cards from a door, and asks for their number beside. */
    private boolean doors(Pod pod, NodeName node) {
        var uid = pod.getMetadata().getUid();
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
        return switch (Sighting.of(
                cluster, holder.namespace(), holder.name(), holder.uid().orElse(holder.id()), PATIENCE)) {
            case Sighting.Present(var pod) ->
                node.value().equals(pod.getSpec().getNodeName()) && !doors(pod, node) ? Look.STILL_HELD : Look.GONE;
            case Sighting.Gone _ -> Look.GONE;
            case Sighting.Unknown _ -> Look.UNKNOWN;
        };
    }
}
