package dev.berth.assigner.reservation;

import dev.berth.kube.retry.Backoff;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be looked at, and when: each name at most once at a time, the earliest wish counts, and what failed is
 * tried again later.
 */
public final class Agenda implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agenda.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));
    private static final int MOST_AT_ONCE = 32;

    private record Due(String name, long at) {}

    private static final class Entry {
        private boolean wanted;
        private long at;
        private boolean running;
        private int failures;
    }

    private final Consumer<String> duty;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    private final Map<String, Entry> entries = new HashMap<>();
    private final Semaphore permits = new Semaphore(MOST_AT_ONCE);
    private final Thread thread;
    private boolean closed;

    private Agenda(String title, Consumer<String> duty) {
        this.duty = duty;
        this.thread = Thread.ofVirtual().name("agenda-" + title).unstarted(this::work);
    }

    public static Agenda start(String title, Consumer<String> duty) {
        var agenda = new Agenda(title, duty);
        agenda.thread.start();
        return agenda;
    }

    /** Looks at this name after so long, or earlier if that was wished already. Never waits. */
    public void put(String name, Duration after) {
        lock.lock();
        try {
            want(name, System.nanoTime() + after.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private void want(String name, long at) {
        var entry = entries.computeIfAbsent(name, _ -> new Entry());
        if (entry.wanted && entry.at <= at) {
            return;
        }
        entry.wanted = true;
        entry.at = at;
        if (!entry.running) {
            await(new Due(name, at));
        }
    }

    /** Whoever waits for an earlier one goes on waiting. */
    private void await(Due due) {
        queue.add(due);
        if (due.equals(queue.peek())) {
            changed.signal();
        }
    }

    private void work() {
        try {
            while (true) {
                var name = next();
                permits.acquire();
                Thread.ofVirtual().start(() -> run(name));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private String next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                var due = queue.peek();
                long wait = due == null ? Long.MAX_VALUE : due.at() - System.nanoTime();
                if (closed) {
                    throw new InterruptedException();
                }
                if (due == null || wait > 0) {
                    changed.await(wait, TimeUnit.NANOSECONDS);
                    continue;
                }
                queue.remove();
                var entry = entries.get(due.name());
                // An older wish that a newer one has replaced, or a name that is being looked at.
                if (entry != null && entry.wanted && !entry.running && entry.at == due.at()) {
                    entry.wanted = false;
                    entry.running = true;
                    return due.name();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(String name) {
        boolean failed = false;
        try {
            duty.accept(name);
        } catch (RuntimeException problem) {
            failed = true;
            LOG.warn("it is tried again later: name={} reason={}", name, problem.toString());
        } finally {
            permits.release();
            done(name, failed);
        }
    }

    private void done(String name, boolean failed) {
        lock.lock();
        try {
            var entry = entries.get(name);
            if (entry == null) {
                return;
            }
            entry.running = false;
            entry.failures = failed ? entry.failures + 1 : 0;
            if (failed) {
                long later = BACKOFF.after(entry.failures, RandomGenerator.getDefault())
                        .toNanos();
                entry.wanted = true;
                entry.at = System.nanoTime() + later;
            }
            if (entry.wanted) {
                await(new Due(name, entry.at));
            } else {
                entries.remove(name);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }
}
