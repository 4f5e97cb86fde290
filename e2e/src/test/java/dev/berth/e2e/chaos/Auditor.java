package dev.berth.e2e.chaos;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Once a second reads what the doors have written down, and compares it with who is there: a card that a pod was
 * promised stays its own as long as the pod is there, and a Lease does not outlive its holder by more than its time.
 */
final class Auditor implements AutoCloseable {
    private static final String RESERVATION = "fudo.org/gpu.reservation-id";
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** For replicas that have to come back first, and for requests that fail. */
    private static final Duration MARGIN = Duration.ofSeconds(45);

    private final Ground ground;
    private final Watchman watchman;
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final Map<String, Long> orphanSince = new HashMap<>();
    private final AtomicLong audits = new AtomicLong();
    private final Thread thread;

    Auditor(Ground ground, Watchman watchman) {
        this.ground = ground;
        this.watchman = watchman;
        this.thread = Thread.ofVirtual().name("auditor").start(this::work);
    }

    private void work() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                audit();
                audits.incrementAndGet();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException blind) {
            if (!Thread.currentThread().isInterrupted()) wrong.add("the auditor sees nothing any more: " + blind);
        }
    }

    private void audit() {
        var guests = watchman.guests();
        var claims = ground.claims();
        var leases = ground.gpuLeases();
        var held = ground.heldDevices();
        var promises = leases.stream().map(Auditor::reservation).collect(Collectors.toSet());
        for (var guest : guests) {
            var reservation = note(guest.getMetadata().getAnnotations(), RESERVATION);
            if (!reservation.isEmpty() && !promises.contains(reservation)) {
                report(guest, "its reservation %s is in no Lease".formatted(reservation));
            }
            for (var card : Watchman.cards(guest, claims).keySet()) {
                var device = Ground.uuid(Watchman.node(guest), card);
                if (!held.contains(device)) report(guest, "its card %s is free in the ledger".formatted(device));
            }
        }
        orphans(leases, guests);
    }

    /** Who is still there after what was read was there when it was read. */
    private void report(Pod guest, String what) {
        if (ground.isThere(guest))
            wrong.add("%s: %s".formatted(guest.getMetadata().getName(), what));
    }

    private void orphans(List<Lease> leases, List<Pod> guests) {
        Set<String> living = guests.stream()
                .map(guest -> note(guest.getMetadata().getAnnotations(), RESERVATION))
                .collect(Collectors.toSet());
        var orphans = leases.stream()
                .filter(lease -> !living.contains(reservation(lease)))
                .collect(Collectors.toMap(Auditor::reservation, lease -> lease, (one, other) -> one));
        orphanSince.keySet().retainAll(orphans.keySet());
        orphans.forEach((reservation, lease) -> {
            long since = orphanSince.computeIfAbsent(reservation, _ -> System.nanoTime());
            var time = Duration.ofSeconds(
                    Objects.requireNonNullElse(lease.getSpec().getLeaseDurationSeconds(), 0));
            var alone = Duration.ofNanos(System.nanoTime() - since);
            if (alone.compareTo(time.plus(MARGIN)) > 0) {
                wrong.add("Lease %s of nobody is there for %s, its time is %s"
                        .formatted(lease.getMetadata().getName(), alone, time));
            }
        });
    }

    private static String reservation(Lease lease) {
        return note(lease.getMetadata().getAnnotations(), RESERVATION);
    }

    private static String note(@Nullable Map<String, String> notes, String key) {
        return Objects.requireNonNullElse(notes, Map.<String, String>of()).getOrDefault(key, "");
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    long audits() {
        return audits.get();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
