package dev.berth.kube.schedule;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The pods that wait for a node. One that was refused waits for something to change that could help, and in any case
 * for its back-off, which doubles from one second to ten; after five minutes it is tried again whatever happened.
 */
public final class PodQueue {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);
    private static final int RACES_AT_ONCE = 8;
    private static final Duration LONGEST_PARKED = Duration.ofMinutes(5);

    /** A pod that waits: the more important first, then the older. */
    public record Ticket(String namespace, String name, String uid, int priority, String created) {
        public static final Comparator<Ticket> ORDER = Comparator.comparingInt((Ticket ticket) -> -ticket.priority)
                .thenComparing(Ticket::created)
                .thenComparing(Ticket::namespace)
                .thenComparing(Ticket::name)
                .thenComparing(Ticket::uid);
    }

    /** Its turn comes at a time. */
    private record Turn(long at, Ticket ticket) {
        private static final Comparator<Turn> ORDER =
                Comparator.comparingLong(Turn::at).thenComparing(Turn::ticket, Ticket.ORDER);
    }

    /** What is known of a pod from one attempt to the next. */
    private static final class History {
        private int failures;
        private int races;
        private long mayRunFrom;
        private long wakesWhenTaken;
        private long taken;
        private boolean running;
        private boolean changed;
    }

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final TreeSet<Ticket> ready = new TreeSet<>(Ticket.ORDER);
    private final TreeSet<Turn> later = new TreeSet<>(Turn.ORDER);
    private final Map<String, Turn> turns = new HashMap<>();
    private final Map<String, Ticket> parked = new LinkedHashMap<>();
    private final Map<String, Ticket> known = new HashMap<>();
    private final Map<String, History> histories = new HashMap<>();
    /** Pods that were bound and that no watch has shown on their node yet. */
    private final Set<String> placed = new HashSet<>();

    private long wakes;
    private long takings;
    private boolean closed;

    public PodQueue(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A pod that wants a node, seen for the first time or changed since. */
    public void offer(Ticket ticket) {
        locked(() -> {
            if (placed.contains(ticket.uid())) {
                return;
            }
            var history = histories.computeIfAbsent(ticket.uid(), _ -> new History());
            forgetPlace(ticket.uid());
            known.put(ticket.uid(), ticket);
            if (history.running) {
                history.changed = true;
            } else {
                schedule(ticket, history.mayRunFrom);
            }
        });
    }

    /** The pod wants no node any more: the cluster shows it on one, or it is gone. */
    public void remove(String uid) {
        locked(() -> {
            placed.remove(uid);
            forget(uid);
        });
    }

    /** The pod was bound: a watch that is late may still show it waiting, and must not have it tried again. */
    public void placed(String uid) {
        locked(() -> {
            if (known.containsKey(uid)) {
                placed.add(uid);
            }
            forget(uid);
        });
    }

    private void forget(String uid) {
        forgetPlace(uid);
        known.remove(uid);
        histories.remove(uid);
    }

    /** Something changed that may help those who were refused. */
    public void wake() {
        locked(() -> {
            wakes++;
            for (var ticket : parked.values()) {
                schedule(ticket, history(ticket).mayRunFrom);
            }
            parked.clear();
        });
    }

    /**
     * What this pod was promised is free again. Whoever was tried since may have been refused because of the promise;
     * nobody else hears of its end, since the cluster has never seen it.
     */
    public void gaveBack(String uid) {
        locked(() -> {
            var its = histories.get(uid);
            if (its == null) {
                return;
            }
            for (var other : known.values()) {
                var history = history(other);
                if (history.taken > its.taken) {
                    history.changed |= history.running;
                    if (parked.remove(other.uid()) != null) {
                        schedule(other, history.mayRunFrom);
                    }
                }
            }
        });
    }

    /** The next pod to try, if one's turn has come. */
    public Optional<Ticket> poll() {
        lock.lock();
        try {
            promote();
            var next = Optional.ofNullable(ready.pollFirst());
            next.ifPresent(ticket -> {
                var history = history(ticket);
                history.running = true;
                history.changed = false;
                history.wakesWhenTaken = wakes;
                history.taken = ++takings;
            });
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The same, waiting for it, until the queue is closed. */
    public Optional<Ticket> poll(Duration within) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long deadline = nanos.getAsLong() + within.toNanos();
            while (true) {
                var next = poll();
                long left = deadline - nanos.getAsLong();
                if (next.isPresent() || left <= 0 || closed) {
                    return next;
                }
                long untilTurn = later.isEmpty() ? left : later.first().at() - nanos.getAsLong();
                work.await(Math.max(1, Math.min(left, untilTurn)), TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever waits for a pod waits no longer. */
    public void close() {
        locked(() -> {
            closed = true;
            work.signalAll();
        });
    }

    /** No node would take it: it waits until something changes. */
    public void refused(Ticket ticket) {
        again(ticket, true);
    }

    /** The attempt failed for a reason that passes by itself: it is tried again after its back-off. */
    public void failed(Ticket ticket) {
        again(ticket, false);
    }

    /** Somebody was faster: it is tried again at once, because the next look sees what he did. */
    public void lostRace(Ticket ticket) {
        locked(() -> {
            var current = known.get(ticket.uid());
            var history = histories.get(ticket.uid());
            if (current != null && history != null) {
                history.running = false;
                history.races++;
                // Whoever loses again and again steps back for a moment.
                boolean patient = history.races % RACES_AT_ONCE == 0;
                schedule(current, nanos.getAsLong() + (patient ? FIRST_BACKOFF.toNanos() : 0));
            }
        });
    }

    private void again(Ticket ticket, boolean untilWoken) {
        locked(() -> {
            var current = known.get(ticket.uid());
            var history = histories.get(ticket.uid());
            if (current == null || history == null) {
                return;
            }
            history.running = false;
            history.failures++;
            history.mayRunFrom = nanos.getAsLong() + backoff(history.failures).toNanos();
            // What happened while it was being tried may have been what it waits for.
            if (untilWoken && history.wakesWhenTaken == wakes && !history.changed) {
                parked.put(current.uid(), current);
                place(current, nanos.getAsLong() + LONGEST_PARKED.toNanos());
            } else {
                schedule(current, history.mayRunFrom);
            }
        });
    }

    private static Duration backoff(int failures) {
        long millis = FIRST_BACKOFF.toMillis() << Math.min(failures - 1, 10);
        return millis < LONGEST_BACKOFF.toMillis() ? Duration.ofMillis(millis) : LONGEST_BACKOFF;
    }

    /** How many pods wait, those that are being tried included. */
    public int size() {
        lock.lock();
        try {
            return known.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many wait for something to change. */
    public int parked() {
        lock.lock();
        try {
            return parked.size();
        } finally {
            lock.unlock();
        }
    }

    private History history(Ticket ticket) {
        return histories.computeIfAbsent(ticket.uid(), _ -> new History());
    }

    private void schedule(Ticket ticket, long from) {
        forgetTurn(ticket.uid());
        if (from <= nanos.getAsLong()) {
            ready.add(ticket);
        } else {
            place(ticket, from);
        }
        work.signalAll();
    }

    private void place(Ticket ticket, long at) {
        forgetTurn(ticket.uid());
        var turn = new Turn(at, ticket);
        later.add(turn);
        turns.put(ticket.uid(), turn);
    }

    private void promote() {
        long now = nanos.getAsLong();
        while (!later.isEmpty() && later.first().at() <= now) {
            var ticket = later.pollFirst().ticket();
            turns.remove(ticket.uid());
            parked.remove(ticket.uid());
            ready.add(ticket);
        }
    }

    private void forgetPlace(String uid) {
        var ticket = known.get(uid);
        if (ticket != null) {
            ready.remove(ticket);
        }
        parked.remove(uid);
        forgetTurn(uid);
    }

    private void forgetTurn(String uid) {
        var turn = turns.remove(uid);
        if (turn != null) {
            later.remove(turn);
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }
}
