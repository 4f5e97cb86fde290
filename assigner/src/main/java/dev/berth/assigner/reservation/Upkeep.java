package dev.berth.assigner.reservation;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.wire.Assignment;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.lease.LeaseOutcome;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps reservations true to their pods: at once when a watch tells of a pod, and all of them regularly. Every replica
 * does this; the one that made a reservation first, the others a moment later, if there is anything left to do.
 */
public final class Upkeep implements AutoCloseable {
    /** Where pods are found by the reservation that they carry; the index that {@link Pods} must have. */
    public static final String BY_RESERVATION = "reservation";

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration OTHERS_FIRST = Duration.ofMillis(400);
    private static final Duration AFTER_EXPIRY = Duration.ofMillis(100);

    /** What a reservation's life needs of the ledger. */
    public interface Books {
        /** Nobody holds this GPU under this reservation any more. */
        void released(String uuid, String reservation);

        /** The reservation of this GPU is written anew. */
        void changed(String uuid);
    }

    private final Reservations reservations;
    private final Gpus gpus;
    private final Pods pods;
    private final FreshPods freshPods;
    private final Books books;
    private final InstantSource clock;
    private final Rhythm rhythm;
    private final Predicate<String> madeHere;
    private final Agenda agenda = Agenda.start("reservations", this::look);
    private final Thread passes = Thread.ofVirtual().name("reservation-passes").unstarted(this::loop);

    /** @param madeHere whether this process made the reservation of this id */
    public Upkeep(
            Cluster cluster,
            Reservations reservations,
            Gpus gpus,
            Pods pods,
            Books books,
            InstantSource clock,
            Rhythm rhythm,
            Predicate<String> madeHere) {
        this.reservations = reservations;
        this.gpus = gpus;
        this.pods = pods;
        this.freshPods = new FreshPods(cluster);
        this.books = books;
        this.clock = clock;
        this.rhythm = rhythm;
        this.madeHere = madeHere;
    }

    /** Begins to listen and to pass; before the caches start, so that nothing is missed. */
    public void start() {
        pods.onChange(this::heardPod);
        reservations.onChange(this::heardLease);
        passes.start();
    }

    public static List<String> reservationOf(Pod pod) {
        return Assignment.of(pod).map(Assignment::reservation).stream().toList();
    }

    private void heardPod(Change<Pod> change) {
        var pod = change.newest();
        var leases = new TreeSet<String>();
        Assignment.of(pod).ifPresent(assignment -> assignment.uuids().forEach(uuid -> leases.add(LeaseName.of(uuid))));
        reservations.byHolder(pod.getMetadata().getUid()).forEach(held -> leases.add(held.name()));
        for (var name : leases) {
            reservations
                    .find(name)
                    .filter(reservation -> !(judge(reservation) instanceof Judgement.Keep))
                    .ifPresent(this::soon);
        }
    }

    private void heardLease(Change<Lease> change) {
        var reservation = new Reservation(change.newest());
        if (change instanceof Change.Removed<Lease>) {
            return;
        }
        // That the pod of an active one is gone is heard from the pod, or found by a pass: a lease that was promoted
        // just now may be ahead of its pod in our caches.
        if (judge(reservation) instanceof Judgement.Promote) {
            soon(reservation);
        } else if (reservation.proposal()) {
            atExpiry(reservation);
        }
    }

    private void soon(Reservation reservation) {
        agenda.put(reservation.name(), madeHere.test(reservation.id()) ? Duration.ZERO : OTHERS_FIRST);
    }

    private void atExpiry(Reservation reservation) {
        var left = Duration.between(clock.instant(), reservation.expiry()).plus(AFTER_EXPIRY);
        agenda.put(reservation.name(), left.isNegative() ? AFTER_EXPIRY : left);
    }

    private void loop() {
        try {
            while (!caught()) {
                Thread.sleep(Rhythm.UNTIL_CAUGHT_UP);
            }
            while (true) {
                pass();
                Thread.sleep(rhythm.next());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean caught() {
        return reservations.synced() && pods.synced();
    }

    /** Looks at every reservation once. */
    void pass() {
        for (var reservation : reservations.all()) {
            if (judge(reservation) instanceof Judgement.Keep) {
                if (reservation.proposal()) {
                    atExpiry(reservation);
                }
            } else {
                agenda.put(reservation.name(), Duration.ZERO);
            }
        }
    }

    /** What the caches say; only good for deciding whether to look closer. */
    private Judgement judge(Reservation reservation) {
        var uuid = uuidOf(reservation);
        return uuid.isEmpty()
                ? new Judgement.Keep()
                : Judgement.of(reservation, uuid.get(), known(reservation), now(), rhythm.renewEvery());
    }

    private void look(String leaseName) {
        var found = reservations.find(leaseName);
        if (found.isEmpty() || !caught()) {
            return;
        }
        var reservation = found.get();
        switch (judge(reservation)) {
            case Judgement.Keep _ -> {
                if (reservation.proposal()) {
                    atExpiry(reservation);
                }
            }
            case Judgement.Renew _ -> reservations.renew(reservation);
            case Judgement.Promote(var pod) -> promote(reservation, pod);
            case Judgement.Delete _ -> releaseIfGone(reservation);
        }
    }

    private void promote(Reservation reservation, Pod pod) {
        var uuid = uuidOf(reservation).orElseThrow();
        var metadata = pod.getMetadata();
        switch (reservations.promote(reservation, uuid, metadata.getNamespace(), metadata.getUid())) {
            case LeaseOutcome.Acquired _ -> {
                LOG.info(
                        "reservation is its pod's: uuid={} pod={}/{} reservation={}",
                        uuid,
                        metadata.getNamespace(),
                        metadata.getName(),
                        reservation.id());
                books.changed(uuid);
            }
            case LeaseOutcome.HeldBy held ->
                LOG.warn("reservation is another's, not its pod's: uuid={} holder={}", uuid, held.holder());
            case LeaseOutcome.Lost(var why) ->
                LOG.warn("reservation was lost before its pod had it: uuid={} reason={}", uuid, why);
        }
    }

    /**
     * Gives the GPU free if the API server itself shows that nobody uses it; true if it is free now. Throws when the
     * API server could not be asked, and then nothing has happened.
     */
    public boolean releaseIfGone(Reservation reservation) {
        var uuid = uuidOf(reservation);
        if (uuid.isEmpty()) {
            return false;
        }
        var shown = freshPods.of(reservation.namespace());
        var judgement = Judgement.of(reservation, uuid.get(), shown, now(), rhythm.renewEvery());
        if (!(judgement instanceof Judgement.Delete(var why))) {
            if (judgement instanceof Judgement.Promote(var pod)) {
                promote(reservation, pod);
            }
            return false;
        }
        reservations.delete(reservation);
        books.released(uuid.get(), reservation.id());
        LOG.info(
                "GPU is free: uuid={} reservation={} state={} reason={}",
                uuid.get(),
                reservation.id(),
                reservation.state(),
                why);
        return true;
    }

    /** Whether it is worth asking the API server if this one can go. */
    public boolean looksGone(Reservation reservation) {
        return judge(reservation) instanceof Judgement.Delete;
    }

    private List<Pod> known(Reservation reservation) {
        var found = new ArrayList<Pod>();
        pods.byUid(reservation.holder()).ifPresent(found::add);
        found.addAll(pods.by(BY_RESERVATION, reservation.id()));
        found.removeIf(pod -> reservation
                .namespace()
                .filter(namespace -> !namespace.equals(pod.getMetadata().getNamespace()))
                .isPresent());
        return found;
    }

    /**
     * The GPU, by its label or, where that is lost, by the Lease's name; none for a Lease that is not the assigner's.
     */
    private Optional<String> uuidOf(Reservation reservation) {
        var label = reservation.uuidLabel();
        var named = gpus.ofLease(reservation.name());
        if (label.isPresent() && (named.contains(label.get()) || named.isEmpty())) {
            return label;
        }
        return named.stream().findFirst();
    }

    private Instant now() {
        return clock.instant();
    }

    @Override
    public void close() {
        passes.interrupt();
        agenda.close();
    }
}
