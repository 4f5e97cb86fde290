package dev.berth.assigner.place;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.Agenda;
import dev.berth.assigner.reservation.HeldGpus;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.SharedRead;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.OwnNodeLedgers;
import dev.berth.kube.ledger.Reconciler;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The assigner's lines in the node ledgers. With shared ledgers they are the lock; with a ledger of this process's own
 * they are a memory of the Leases, which are the lock then.
 */
final class Books implements Upkeep.Books, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Books.class);
    private static final char SEPARATOR = '\n';
    private static final Duration LATER = Duration.ofSeconds(1);
    private static final Duration RECONCILE = Duration.ofSeconds(5);
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(20);

    private final NodeLedgers ledgers;
    private final Gpus gpus;
    private final Reservations reservations;
    private final HeldGpus held;
    private final InstantSource clock;
    private final Reconciler reconciler;
    private final Agenda agenda = Agenda.start("ledger", this::check);
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final SharedRead<Boolean> ownRefresh = new SharedRead<>(this::refreshOwn);

    Books(NodeLedgers ledgers, Gpus gpus, Reservations reservations, HeldGpus held, InstantSource clock) {
        this.ledgers = ledgers;
        this.gpus = gpus;
        this.reservations = reservations;
        this.held = held;
        this.clock = clock;
        this.reconciler = Reconciler.start(ledgers, held, clock, RECONCILE);
        reservations.onChange(this::heard);
    }

    Ledger ledger() {
        return ledgers.ledger();
    }

    boolean synced() {
        return ledgers.synced();
    }

    /** From here to {@link #end} the reservation may be in the ledger and not in a Lease. */
    void begin(String reservation) {
        underWay.add(reservation);
    }

    void end(String reservation) {
        underWay.remove(reservation);
    }

    /** Takes all of these or none; false when somebody holds one of them. */
    LedgerOutcome<Boolean> take(NodeName node, Collection<Entry> entries, Duration within) {
        return ledgers.decide(
                node,
                holdings -> {
                    if (entries.stream()
                            .anyMatch(entry -> holdings.obstacle(entry).isPresent())) {
                        return new Decision.Decided<>(holdings, false);
                    }
                    var after = holdings;
                    for (var entry : entries) {
                        after = after.taking(entry);
                    }
                    return new Decision.Decided<>(after, true);
                },
                within);
    }

    /** Undoes what this reservation took on the node. */
    void giveBack(NodeName node, String reservation) {
        change(node, holdings -> holdings.without(entry -> ours(entry, reservation)));
    }

    /** Writes down what a Lease says that the ledger did not know. */
    void adopt(NodeName node, DeviceId device, Reservation reservation) {
        var entry = held.entry(node, device, reservation);
        change(node, holdings -> holdings.of(device).contains(entry) ? holdings : holdings.recording(entry));
    }

    @Override
    public void released(String uuid, String reservation) {
        var device = new DeviceId(uuid);
        for (var node : places(device, reservation)) {
            change(
                    node,
                    holdings -> holdings.without(entry -> entry.device().equals(device) && ours(entry, reservation)));
        }
    }

    @Override
    public void changed(String uuid) {
        gpus.nodeOf(uuid).ifPresent(reconciler::tell);
    }

    /** After this call the ledger is no older than the call. */
    void refresh(Duration within) {
        if (ledgers instanceof OwnNodeLedgers) {
            ownRefresh.get(within);
        } else {
            ledgers.refresh(within);
        }
    }

    /**
     * Drops what a decision put down that never became a Lease, once its time is up and the API server shows no Lease;
     * true if that freed the GPU.
     */
    boolean dropExpired(NodeName node, DeviceId device) {
        var over = ledgers.ledger().of(node).of(device).stream()
                .filter(entry -> entry.holder().door() == Door.ASSIGNER && entry.expiredAt(clock.instant()))
                .filter(entry -> held.look(node, entry) == HeldGpus.Look.GONE)
                .toList();
        if (over.isEmpty()) {
            return false;
        }
        change(node, holdings -> holdings.without(over::contains));
        return true;
    }

    private void heard(Change<Lease> change) {
        var reservation = new Reservation(change.newest());
        for (var uuid : gpus.ofLease(reservation.name())) {
            if (change instanceof Change.Removed<Lease>) {
                forget(uuid, reservation.id());
            } else if (ledgers instanceof OwnNodeLedgers) {
                // In memory, so at once: another replica's Lease is the only word we get of its choice.
                gpus.nodeOf(uuid).ifPresent(node -> adopt(node, new DeviceId(uuid), reservation));
            } else {
                changed(uuid);
            }
        }
    }

    /**
     * A Lease is gone. Shared ledgers are put right by the replica that deleted it, and by the next reconciliation; our
     * own only we can put right, and without waiting.
     */
    private void forget(String uuid, String reservation) {
        if (ledgers instanceof OwnNodeLedgers && !underWay.contains(reservation)) {
            released(uuid, reservation);
        } else if (holds(uuid, reservation)) {
            agenda.put(uuid + SEPARATOR + reservation, LATER);
        }
    }

    /** The deleted Lease's entry is still there after a while: its replica died, or a late watch brought it back. */
    private void check(String key) {
        var uuid = key.substring(0, key.indexOf(SEPARATOR));
        var reservation = key.substring(key.indexOf(SEPARATOR) + 1);
        if (!holds(uuid, reservation)) {
            return;
        }
        if (underWay.contains(reservation)) {
            agenda.put(key, LATER);
            return;
        }
        if (reservations
                .read(LeaseName.of(uuid))
                .filter(there -> there.id().equals(reservation))
                .isEmpty()) {
            released(uuid, reservation);
        }
    }

    private boolean holds(String uuid, String reservation) {
        var device = new DeviceId(uuid);
        return places(device, reservation).stream()
                .anyMatch(node -> holds(ledgers.ledger().of(node), device, reservation));
    }

    private boolean refreshOwn() {
        var before = ledgers.ledger();
        var busy = Set.copyOf(underWay);
        var leases = reservations.readAll(WRITE_PATIENCE);
        for (var node : gpus.inventory().nodes()) {
            var stale = new HashSet<Entry>();
            before.of(node)
                    .entries()
                    .filter(entry -> !busy.contains(entry.holder().id()))
                    .filter(entry ->
                            !leases.containsKey(LeaseName.of(entry.device().value())))
                    .forEach(stale::add);
            if (!stale.isEmpty()) {
                change(node, holdings -> holdings.without(stale::contains));
            }
        }
        return true;
    }

    private Collection<NodeName> places(DeviceId device, String reservation) {
        var ledger = ledgers.ledger();
        var places = new TreeSet<NodeName>();
        gpus.nodeOf(device.value()).ifPresent(places::add);
        if (places.stream().noneMatch(node -> holds(ledger.of(node), device, reservation))) {
            // The node may have lost its annotation since.
            ledger.byNode().forEach((node, holdings) -> {
                if (holds(holdings, device, reservation)) {
                    places.add(node);
                }
            });
        }
        return List.copyOf(places);
    }

    private static boolean holds(Holdings holdings, DeviceId device, String reservation) {
        return holdings.of(device).stream().anyMatch(entry -> ours(entry, reservation));
    }

    private static boolean ours(Entry entry, String reservation) {
        return entry.holder().door() == Door.ASSIGNER && entry.holder().id().equals(reservation);
    }

    private void change(NodeName node, UnaryOperator<Holdings> change) {
        var outcome =
                ledgers.decide(node, holdings -> new Decision.Decided<>(change.apply(holdings), true), WRITE_PATIENCE);
        if (!(outcome instanceof LedgerOutcome.Settled<Boolean>)) {
            LOG.warn("ledger is put right by the next reconciliation: node={} outcome={}", node, outcome);
            reconciler.tell(node);
        }
    }

    @Override
    public void close() {
        agenda.close();
        reconciler.close();
        ledgers.close();
    }
}
