package dev.berth.assigner.place;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.device.Labelled;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.wire.Assignment;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.lease.LeaseOutcome;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds GPUs for a pod and reserves them: chooses, writes the node's ledger, writes the Leases. Whoever loses a race
 * chooses again; nobody is refused before the API server itself has shown that nothing is free.
 */
final class Placer {
    private static final Logger LOG = LoggerFactory.getLogger(Placer.class);
    /** One connection to the API server carries a hundred requests at a time, watches and upkeep among them. */
    private static final int MOST_AT_ONCE = 48;

    private static final Duration UNTIL_KNOWN = Duration.ofMillis(20);
    private static final String NOT_KNOWN = "the cluster's nodes, pods and leases are not all known yet";

    private final Gpus gpus;
    private final NodeRooms rooms;
    private final Books books;
    private final Reservations reservations;
    private final Upkeep upkeep;
    private final Choices choices;
    private final BooleanSupplier known;
    private final InstantSource clock;
    private final Intents intents;
    private final Semaphore turns = new Semaphore(MOST_AT_ONCE, true);

    /** @param known whether all that the cluster has was heard of once */
    Placer(
            Gpus gpus,
            NodeRooms rooms,
            Books books,
            Reservations reservations,
            Upkeep upkeep,
            Choices choices,
            BooleanSupplier known,
            InstantSource clock) {
        this.gpus = gpus;
        this.rooms = rooms;
        this.books = books;
        this.reservations = reservations;
        this.upkeep = upkeep;
        this.choices = choices;
        this.known = known;
        this.clock = clock;
        this.intents = new Intents(books::ledger);
    }

    Outcome place(PodRequest asked, PodNeeds needs, String reservation, Duration within) {
        var attempt = new Attempt(asked, needs, reservation, System.nanoTime() + within.toNanos());
        try {
            if (!turns.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS)) {
                return new Outcome.Undecided("too many pods are being decided on");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Undecided("interrupted");
        }
        books.begin(reservation);
        try {
            return attempt.knows() ? attempt.run() : new Outcome.Undecided(NOT_KNOWN);
        } catch (KubernetesClientException problem) {
            return new Outcome.Undecided(Failure.words(problem));
        } catch (IllegalStateException problem) {
            LOG.warn("pod could not be decided on: pod={}", asked.pod(), problem);
            return new Outcome.Undecided(String.valueOf(problem.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Undecided("interrupted");
        } finally {
            books.end(reservation);
            turns.release();
        }
    }

    /** The walk of one request. */
    private final class Attempt {
        private final PodRequest asked;
        private final PodNeeds needs;
        private final String reservation;
        private final long deadline;
        private List<Entry> entries = List.of();

        Attempt(PodRequest asked, PodNeeds needs, String reservation, long deadline) {
            this.asked = asked;
            this.needs = needs;
            this.reservation = reservation;
            this.deadline = deadline;
        }

        /** Waits for what the cluster has: until all of it was heard once, nobody can say that nothing is free. */
        boolean knows() throws InterruptedException {
            while (!known.getAsBoolean() && left().isPositive()) {
                Thread.sleep(UNTIL_KNOWN);
            }
            return known.getAsBoolean();
        }

        Outcome run() {
            boolean fresh = false;
            while (left().isPositive()) {
                switch (choose()) {
                    case Placement placement -> {
                        var reserved = reserve(placement);
                        if (reserved.isPresent()) {
                            return new Outcome.Reserved(reserved.get());
                        }
                        fresh = false;
                    }
                    case Refusal refusal -> {
                        if (fresh) {
                            return new Outcome.NothingFree(refusal);
                        }
                        books.refresh(left());
                        fresh = !reclaim();
                    }
                }
            }
            return new Outcome.Undecided("no answer in time");
        }

        private Duration left() {
            return Duration.ofNanos(deadline - System.nanoTime());
        }

        private Verdict choose() {
            return intents.choose(ledger -> choices.choose(asked, needs, ledger), verdict -> {
                entries = verdict instanceof Placement placement ? entries(placement) : List.of();
                return verdict instanceof Placement placement ? Map.of(placement.node(), entries) : Map.of();
            });
        }

        private List<Entry> entries(Placement placement) {
            var holder = Holder.reservation(Door.ASSIGNER, asked.namespace(), asked.name(), reservation);
            var expires = clock.instant().truncatedTo(ChronoUnit.MICROS).plus(Reservation.PROPOSAL_LIFE);
            return placement.grants().stream()
                    .map(grant -> Entry.assumed(grant.device().id(), holder, Share.WHOLE, expires))
                    .sorted(Comparator.comparing(Entry::device))
                    .toList();
        }

        private Optional<Assignment> reserve(Placement placement) {
            var node = placement.node();
            boolean kept = false;
            try {
                kept = take(node) && propose(node);
            } finally {
                if (!kept) {
                    rooms.takeBack(needs.uid());
                }
            }
            return kept
                    ? Optional.of(new Assignment(
                            reservation,
                            node.value(),
                            entries.stream()
                                    .map(entry -> entry.device().value())
                                    .toList()))
                    : Optional.empty();
        }

        /** Writes the GPUs down in the node's ledger; false when somebody was faster. */
        private boolean take(NodeName node) {
            LedgerOutcome<Boolean> outcome;
            try {
                rooms.assume(needs, node);
                outcome = books.take(node, entries, left());
            } finally {
                intents.settled(node, reservation);
            }
            return switch (outcome) {
                case LedgerOutcome.Settled<Boolean>(var yes) -> yes;
                case LedgerOutcome.NotWritten<Boolean>(var why) ->
                    throw new IllegalStateException("the ledger of node %s was not written: %s".formatted(node, why));
                case LedgerOutcome.Unknown<Boolean>(var why) -> {
                    books.giveBack(node, reservation);
                    throw new IllegalStateException("the ledger of node %s was not written: %s".formatted(node, why));
                }
            };
        }

        /** Writes the Leases in the order of the devices, so that of two who want the same ones the first gets all. */
        private boolean propose(NodeName node) {
            var made = new ArrayList<Reservation>();
            try {
                for (var entry : entries) {
                    var uuid = entry.device().value();
                    var since = since(entry);
                    switch (reservations.propose(uuid, asked.namespace(), reservation, since)) {
                        case LeaseOutcome.Acquired(var lease) -> made.add(new Reservation(lease));
                        case LeaseOutcome.HeldBy _, LeaseOutcome.Lost _ -> {
                            undo(node, made);
                            settleConflict(node, entry.device());
                            return false;
                        }
                    }
                }
                return true;
            } catch (KubernetesClientException | IllegalStateException problem) {
                abandon(node);
                throw problem;
            }
        }

        private Instant since(Entry entry) {
            return entry.state() instanceof Entry.State.Assumed(var expires)
                    ? expires.minus(Reservation.PROPOSAL_LIFE)
                    : clock.instant();
        }

        private void undo(NodeName node, Collection<Reservation> made) {
            made.forEach(reservations::delete);
            books.giveBack(node, reservation);
        }

        /** The API server failed on the way: what was written is taken back as far as it lets us; the rest expires. */
        private void abandon(NodeName node) {
            try {
                for (var entry : entries) {
                    reservations
                            .read(LeaseName.of(entry.device().value()))
                            .filter(there -> there.holder().equals(reservation))
                            .ifPresent(reservations::delete);
                }
                books.giveBack(node, reservation);
            } catch (KubernetesClientException problem) {
                LOG.warn(
                        "proposal could not be taken back, it expires: pod={} reservation={} reason={}",
                        asked.pod(),
                        reservation,
                        Failure.words(problem));
            }
        }

        /** The ledger said free and a Lease says held: that of a pod which is gone is taken away, another is noted. */
        private void settleConflict(NodeName node, DeviceId device) {
            var name = LeaseName.of(device.value());
            var there = reservations.find(name).or(() -> reservations.read(name));
            if (there.isPresent() && !(upkeep.looksGone(there.get()) && upkeep.releaseIfGone(there.get()))) {
                books.adopt(node, device, there.get());
            }
        }

        /** Frees what nobody uses among the GPUs that would do; true if there was any. */
        private boolean reclaim() {
            boolean freed = false;
            var filter = new Labelled(asked.labels());
            for (var node : gpus.inventory().nodes()) {
                var holdings = books.ledger().of(node);
                for (var device : gpus.inventory().devices(node)) {
                    if (!holdings.free(device.id()) && filter.refuses(device).isEmpty()) {
                        freed |= reclaim(node, device.id());
                    }
                }
            }
            return freed;
        }

        private boolean reclaim(NodeName node, DeviceId device) {
            var known = reservations.find(LeaseName.of(device.value()));
            return known.isPresent()
                    ? upkeep.looksGone(known.get()) && upkeep.releaseIfGone(known.get())
                    : books.dropExpired(node, device);
        }
    }
}
