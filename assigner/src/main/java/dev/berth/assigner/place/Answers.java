package dev.berth.assigner.place;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.wire.Assignment;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** What was answered before, so that whoever asks again for the same pod gets the same answer and no second Lease. */
final class Answers {
    private static final int MOST = 20_000;

    private final Reservations reservations;
    private final Gpus gpus;
    private final InstantSource clock;
    private final Map<String, Made> made = new LinkedHashMap<>();
    private final Map<String, Asking> underWay = new ConcurrentHashMap<>();

    private record Made(PodRequest asked, Assignment assignment) {}

    private record Asking(PodRequest asked, CompletableFuture<Outcome> answer) {
        Outcome await(Duration within) {
            try {
                return answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                return new Outcome.Undecided("the same pod is being decided on");
            } catch (ExecutionException failed) {
                throw new IllegalStateException(failed);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return new Outcome.Undecided("interrupted");
            }
        }
    }

    Answers(Reservations reservations, Gpus gpus, InstantSource clock) {
        this.reservations = reservations;
        this.gpus = gpus;
        this.clock = clock;
        reservations.onChange(this::heard);
    }

    /**
     * The answer to this reservation: the one that stands, the one that is being found, or a new one. Another pod that
     * comes under the same uid waits for its turn and gets GPUs of its own.
     *
     * @param find finds an answer in the time that is left
     */
    Outcome of(String reservation, PodRequest asked, Duration within, Function<Duration, Outcome> find) {
        long deadline = System.nanoTime() + within.toNanos();
        var mine = new Asking(asked, new CompletableFuture<>());
        Asking first;
        while ((first = underWay.putIfAbsent(reservation, mine)) != null) {
            var outcome = first.await(left(deadline));
            if (first.asked().equals(asked) || left(deadline).isNegative()) {
                return outcome;
            }
        }
        // Whoever waits for an answer that never comes learns that much.
        Outcome outcome = new Outcome.Undecided("the first request for this pod failed");
        try {
            outcome = standing(reservation, asked)
                    .<Outcome>map(Outcome.Reserved::new)
                    .orElseGet(() -> find.apply(left(deadline)));
            if (outcome instanceof Outcome.Reserved(var assignment)) {
                remember(asked, assignment);
            }
            return outcome;
        } finally {
            underWay.remove(reservation);
            mine.answer().complete(outcome);
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    private Optional<Assignment> standing(String reservation, PodRequest asked) {
        synchronized (made) {
            var known = made.get(reservation);
            if (known != null) {
                return Optional.of(known)
                        .filter(before -> before.asked().equals(asked))
                        .map(Made::assignment);
            }
        }
        var leases = reservations.byId(reservation).stream()
                .filter(lease -> lease.namespace().equals(Optional.of(asked.namespace())))
                .toList();
        return leases.size() == asked.devices()
                ? assignment(reservation, leases)
                        .filter(assignment -> assignment.uuids().stream()
                                .allMatch(uuid -> gpus.labels(uuid).containsAll(asked.labels())))
                : Optional.empty();
    }

    /** What Leases of one reservation say, if their GPUs are all on one node. */
    private Optional<Assignment> assignment(String reservation, List<Reservation> leases) {
        var nodes = new TreeSet<String>();
        var uuids = new TreeSet<String>();
        for (var lease : leases) {
            var uuid = lease.uuidLabel().filter(label -> gpus.nodeOf(label).isPresent());
            uuid.or(() -> gpus.ofLease(lease.name()).stream().findFirst()).ifPresent(found -> {
                uuids.add(found);
                gpus.nodeOf(found).ifPresent(node -> nodes.add(node.value()));
            });
        }
        return nodes.size() == 1 && uuids.size() == leases.size()
                ? Optional.of(new Assignment(reservation, nodes.first(), List.copyOf(uuids)))
                : Optional.empty();
    }

    /**
     * A pod that shows our annotations is being admitted a second time, because another webhook changed it. It keeps
     * what it has, as long as that is an unexpired proposal of its namespace for what it asks.
     */
    Optional<Assignment> reinvoked(PodRequest asked, Optional<Assignment> shown) {
        return shown.filter(assignment -> assignment.uuids().size() == asked.devices())
                .filter(assignment -> assignment.uuids().stream()
                        .allMatch(uuid -> gpus.labels(uuid).containsAll(asked.labels())
                                && gpus.nodeOf(uuid)
                                        .filter(node -> node.value().equals(assignment.node()))
                                        .isPresent()
                                && proposed(uuid, assignment.reservation(), asked.namespace())));
    }

    private boolean proposed(String uuid, String reservation, String namespace) {
        var name = LeaseName.of(uuid);
        return reservations
                .find(name)
                .or(() -> reservations.read(name))
                .filter(lease -> lease.proposal()
                        && !lease.expiredAt(clock.instant())
                        && lease.id().equals(reservation)
                        && lease.namespace().equals(Optional.of(namespace)))
                .isPresent();
    }

    boolean madeHere(String reservation) {
        synchronized (made) {
            return made.containsKey(reservation) || underWay.containsKey(reservation);
        }
    }

    private void remember(PodRequest asked, Assignment assignment) {
        synchronized (made) {
            made.put(assignment.reservation(), new Made(asked, assignment));
            if (made.size() > MOST) {
                made.remove(made.keySet().iterator().next());
            }
        }
    }

    private void heard(Change<Lease> change) {
        if (change instanceof Change.Removed<Lease> removed) {
            synchronized (made) {
                made.remove(new Reservation(removed.newest()).id());
            }
        }
    }
}
