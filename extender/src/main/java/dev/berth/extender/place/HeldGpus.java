package dev.berth.extender.place;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuEntries;
import dev.berth.extender.wire.Assignment;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.Keys;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What pods show to be held: those that are bound, and for a while those that were decided on. */
final class HeldGpus implements Evidence {
    private static final Logger LOG = LoggerFactory.getLogger(HeldGpus.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Clocks differ; a decision from further ahead is no decision of ours. */
    private static final Duration AHEAD = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final Pods pods;
    private final Board board;
    private final PodNotes notes;
    private final Duration life;
    private final InstantSource clock;

    HeldGpus(Cluster cluster, Pods pods, Board board, PodNotes notes, Duration life, InstantSource clock) {
        this.cluster = cluster;
        this.pods = pods;
        this.board = board;
        this.notes = notes;
        this.life = life;
        this.clock = clock;
    }

    /** Puts what a pod shows on the board; the nodes on which that changed anything. */
    Set<String> heard(Change<Pod> change) {
        GpuPod pod;
        try {
            pod = PodReader.read(change.newest());
        } catch (MalformedRequestException unreadable) {
            LOG.warn(
                    "pod is passed over: pod={} reason={}",
                    change.newest().getMetadata().getName(),
                    unreadable.problem());
            return Set.of();
        }
        if (!pod.needsGpu()) {
            return Set.of();
        }
        boolean ended = change instanceof Change.Removed<Pod> || pod.finished();
        var holding = ended ? Optional.<Holding>empty() : holding(pod);
        return board.showed(
                pod, holding.map(Holding::node), holding.map(Holding::entries).orElse(List.of()), ended);
    }

    private record Holding(String node, List<Entry> entries) {}

    /** Where the pod holds what: for good once it is bound, before that until its decision expires. */
    private Optional<Holding> holding(GpuPod pod) {
        if (pod.bound()) {
            return Optional.of(new Holding(pod.node(), GpuEntries.of(pod, Entry.State.CONFIRMED)));
        }
        var node = pod.annotations().getOrDefault(Keys.NODE, "");
        var expiry = expiry(pod);
        if (node.isEmpty() || expiry.isEmpty() || !expiry.get().isAfter(clock.instant())) {
            return Optional.empty();
        }
        var entries = GpuEntries.of(pod, new Entry.State.Assumed(expiry.get())).stream()
                .filter(entry -> !GpuEntries.unknown(entry))
                .toList();
        return Optional.of(new Holding(node, entries));
    }

    private Optional<Instant> expiry(GpuPod pod) {
        return Assignment.madeAt(pod)
                .filter(made -> made.isBefore(clock.instant().plus(AHEAD)))
                .map(made -> made.plus(life));
    }

    @Override
    public Door door() {
        return Door.EXTENDER;
    }

    @Override
    public boolean synced() {
        return pods.synced();
    }

    @Override
    public Collection<NodeName> nodes() {
        return board.showing().stream().map(NodeName::new).toList();
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var now = clock.instant();
        return board.shown(node.value(), "").stream()
                .filter(entry -> !entry.expiredAt(now))
                .toList();
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        return look(
                entry,
                where -> where.node().equals(node.value())
                        && where.entries().stream().anyMatch(entry::sameHolding));
    }

    /** Whether the pod of a line in a namespace's page still holds anything of that model. */
    Look lookAtCounted(Entry entry) {
        return look(
                entry, where -> board.model(where.node()).equals(entry.device().value()));
    }

    private Look look(Entry entry, Predicate<Holding> same) {
        var holder = entry.holder();
        if (holder.uid().isEmpty()) {
            return Look.GONE;
        }
        return Look.of(
                Sighting.of(
                        cluster, holder.namespace(), holder.name(), holder.uid().get(), PATIENCE),
                pod -> look(PodReader.read(pod), same));
    }

    private Look look(GpuPod pod, Predicate<Holding> same) {
        var holding = holding(pod);
        if (holding.filter(same).isPresent()) {
            return Look.STILL_HELD;
        }
        boolean forgotten = !pod.bound() && pod.marked() && holding.isEmpty();
        return !forgotten || clear(pod) ? Look.GONE : Look.UNKNOWN;
    }

    /** A decision that nobody followed is taken off the pod: bound later, it must not find GPUs that others have. */
    private boolean clear(GpuPod pod) {
        try {
            boolean cleared = notes.clear(pod, PATIENCE);
            if (cleared) {
                LOG.info("decision was not followed in time and is dropped: pod={}", pod);
            }
            return cleared;
        } catch (KubernetesClientException unreachable) {
            return false;
        }
    }

    /** Decisions whose time is up and of which no ledger knows: the pods are looked at, as the ledger's would be. */
    void sweep() {
        var now = clock.instant();
        for (var node : board.showing()) {
            for (var entry : board.shown(node, "")) {
                if (entry.expiredAt(now) && look(new NodeName(node), entry) == Look.GONE) {
                    board.forget(node, entry.holder().id());
                }
            }
        }
    }
}
