package dev.berth.pinner.scheduler;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.schedule.PodFilter;
import dev.berth.pinner.map.GpuNames;
import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** What bound pods show of who holds which GPU: what was written with the binding, else what their map says. */
final class PinnedPods implements Evidence {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String schedulerName;
    private final Pods pods;
    private final Plans plans;
    private final Function<NodeName, Optional<Node>> nodes;
    private final BooleanSupplier synced;
    private final Supplier<Ledger> ledger;

    PinnedPods(
            Cluster cluster,
            String schedulerName,
            Pods pods,
            Plans plans,
            Function<NodeName, Optional<Node>> nodes,
            BooleanSupplier synced,
            Supplier<Ledger> ledger) {
        this.cluster = cluster;
        this.schedulerName = schedulerName;
        this.pods = pods;
        this.plans = plans;
        this.nodes = nodes;
        this.synced = synced;
        this.ledger = ledger;
    }

    @Override
    public Door door() {
        return Door.PINNER;
    }

    @Override
    public boolean synced() {
        return synced.getAsBoolean();
    }

    @Override
    public Collection<NodeName> nodes() {
        var found = new TreeSet<NodeName>();
        for (var pod : pods.all()) {
            Pods.nodeOf(pod).filter(_ -> holds(pod)).ifPresent(found::add);
        }
        return found;
    }

    private boolean holds(Pod pod) {
        return PodFilter.isOf(pod, schedulerName) && !Sighting.finished(pod);
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var entries = new ArrayList<Entry>();
        for (var pod : pods.on(node)) {
            if (holds(pod)) {
                devices(pod, node).forEach(device -> entries.add(entry(pod, node, device)));
            }
        }
        return entries;
    }

    private List<DeviceId> devices(Pod pod, NodeName name) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        var written = annotations.get(Keys.PINNED);
        var node = nodes.apply(name);
        return written != null
                ? node.map(NodeGpus::of).orElse(NodeGpus.UNSAID).named(GpuNames.of(written))
                : node.map(found -> plans.heldBy(pod, found)).orElse(List.of());
    }

    /** The share is what the ledger says, where it says anything: the map may be another by now. */
    private Entry entry(Pod pod, NodeName node, DeviceId device) {
        var holder = Pin.holder(pod);
        var share = ledger.get().of(node).of(device).stream()
                .filter(entry -> entry.holder().id().equals(holder.id()))
                .map(Entry::share)
                .findFirst()
                .orElseGet(() -> nodes.apply(node)
                                .filter(found -> plans.shared(pod, device, found))
                                .isPresent()
                        ? Pin.BESIDE
                        : Share.WHOLE);
        return Entry.confirmed(device, holder, share);
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        var holder = entry.holder();
        return Look.of(
                Sighting.of(
                        cluster, holder.namespace(), holder.name(), holder.uid().orElse(holder.id()), PATIENCE),
                pod -> Pods.nodeOf(pod).equals(Optional.of(node))
                                && devices(pod, node).contains(entry.device())
                        ? Look.STILL_HELD
                        : Look.GONE);
    }
}
