package dev.berth.assigner.reservation;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What the Leases show of who holds which GPU. A GPU is held when the Lease of its name exists, whatever labels that
 * has lost.
 */
public final class HeldGpus implements Evidence {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final Gpus gpus;
    private final Reservations reservations;
    private final Pods pods;
    private final Supplier<Ledger> ledger;

    public HeldGpus(Cluster cluster, Gpus gpus, Reservations reservations, Pods pods, Supplier<Ledger> ledger) {
        this.cluster = cluster;
        this.gpus = gpus;
        this.reservations = reservations;
        this.pods = pods;
        this.ledger = ledger;
    }

    @Override
    public Door door() {
        return Door.ASSIGNER;
    }

    @Override
    public boolean synced() {
        return reservations.synced() && pods.synced();
    }

    @Override
    public Collection<NodeName> nodes() {
        var nodes = new TreeSet<NodeName>();
        for (var reservation : reservations.all()) {
            gpus.ofLease(reservation.name()).forEach(uuid -> gpus.nodeOf(uuid).ifPresent(nodes::add));
        }
        return nodes;
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return gpus.inventory().devices(node).stream()
                .flatMap(device -> reservations.find(LeaseName.of(device.id().value())).stream()
                        .map(reservation -> entry(node, device.id(), reservation)))
                .toList();
    }

    /** An entry that the ledger has word for word where nothing has changed, so that nothing is written. */
    public Entry entry(NodeName node, DeviceId device, Reservation reservation) {
        var known = ledger.get().of(node).of(device).stream()
                .filter(entry -> entry.holder().id().equals(reservation.id()))
                .map(Entry::holder)
                .findFirst();
        var holder = known.orElseGet(
                () -> Holder.reservation(Door.ASSIGNER, reservation.namespace().orElse(""), "", idOf(reservation)));
        if (reservation.proposal()) {
            return Entry.assumed(device, holder, Share.WHOLE, reservation.expiry());
        }
        var name = pods.byUid(reservation.holder())
                .map(pod -> pod.getMetadata().getName())
                .orElse(holder.name());
        return Entry.confirmed(device, holder.seenAs(name, reservation.holder()), Share.WHOLE);
    }

    /** A Lease that names nobody is nobody's, until it is taken away. */
    private static String idOf(Reservation reservation) {
        return reservation.id().isBlank() ? "lease/" + reservation.name() : reservation.id();
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        Optional<Reservation> there;
        try {
            there = reservations.read(LeaseName.of(entry.device().value()));
        } catch (KubernetesClientException problem) {
            return Look.UNKNOWN;
        }
        if (there.isPresent()) {
            return idOf(there.get()).equals(entry.holder().id()) ? Look.STILL_HELD : Look.GONE;
        }
        // Somebody deleted the Lease by hand: as long as the pod runs, so does what it runs on the GPU.
        var holder = entry.holder();
        if (holder.uid().isEmpty() || holder.name().isEmpty()) {
            return Look.GONE;
        }
        return Look.of(
                Sighting.of(
                        cluster, holder.namespace(), holder.name(), holder.uid().get(), PATIENCE),
                _ -> Look.STILL_HELD);
    }
}
