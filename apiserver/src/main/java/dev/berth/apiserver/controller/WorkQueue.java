package dev.berth.apiserver.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keys that wait for one worker. A key waits at most once, however often it is added, so that the queue is never longer
 * than there are objects; what failed waits longer each time.
 */
final class WorkQueue<K> {
    private static final Duration FIRST_RETRY = Duration.ofMillis(5);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private record Later<K>(K key, long nanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final LinkedHashSet<K> ready = new LinkedHashSet<>();
    private final PriorityQueue<Later<K>> later = new PriorityQueue<>((a, b) -> Long.compare(a.nanos() - b.nanos(), 0));
    private final Map<K, Long> due = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();

    void add(K key) {
        lock.lock();
        try {
            if (ready.add(key)) added.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The earlier time wins when the key waits for another one already. */
    void addAfter(K key, Duration delay) {
        if (!delay.isPositive()) {
            add(key);
            return;
        }
        lock.lock();
        try {
            long at = System.nanoTime() + delay.toNanos();
            Long known = due.get(key);
            if (known != null && known - at <= 0) return;
            due.put(key, at);
            later.add(new Later<>(key, at));
            added.signal();
        } finally {
            lock.unlock();
        }
    }

    void retry(K key) {
        Duration delay;
        lock.lock();
        try {
            int count = failures.merge(key, 1, Integer::sum);
            delay = FIRST_RETRY.multipliedBy(1L << Math.min(count - 1, 20));
        } finally {
            lock.unlock();
        }
        addAfter(key, delay.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : delay);
    }

    void succeeded(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** The next key; empty when none came in time. */
    Optional<K> take(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                long now = System.nanoTime();
                wake(now);
                if (!ready.isEmpty()) return Optional.of(ready.removeFirst());
                long wait = deadline - now;
                if (wait <= 0) return Optional.empty();
                Later<K> next = later.peek();
                if (next != null) wait = Math.min(wait, next.nanos() - now);
                added.awaitNanos(wait);
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake(long now) {
        while (true) {
            Later<K> next = later.peek();
            if (next == null || next.nanos() - now > 0) return;
            later.remove();
            Long wanted = due.get(next.key());
            if (wanted == null || wanted != next.nanos()) continue;
            due.remove(next.key());
            ready.add(next.key());
        }
    }
}
