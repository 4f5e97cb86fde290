package dev.berth.claims.scheduler;

import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Hands;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Releases the claims of pods that ended, as soon as they are heard of, and all that was missed once a minute. */
final class Releases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);
    private static final Duration SWEEP = Duration.ofMinutes(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private static final int AT_ONCE = 8;

    private record Ended(String namespace, String name) {}

    private final Release release;
    private final ResourceRelease resources;
    private final BooleanSupplier onDuty;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Set<Ended> ended = new LinkedHashSet<>();
    private boolean sweepNow;
    private boolean closed;
    private final Thread thread;

    Releases(Release release, ResourceRelease resources, BooleanSupplier onDuty) {
        this.release = release;
        this.resources = resources;
        this.onDuty = onDuty;
        this.thread = Thread.ofVirtual().name("releases").start(this::run);
    }

    void ended(Pod pod) {
        signal(() -> ended.add(
                new Ended(pod.getMetadata().getNamespace(), pod.getMetadata().getName())));
    }

    void checkSoon() {
        signal(() -> sweepNow = true);
    }

    private void signal(Runnable change) {
        lock.lock();
        try {
            change.run();
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long nextSweep = System.nanoTime() + SWEEP.toNanos();
        try {
            while (true) {
                var pods = await(nextSweep - System.nanoTime());
                if (closed()) {
                    return;
                }
                if (!onDuty.getAsBoolean()) {
                    // Whoever leads does it; when that becomes us, everything is looked through.
                    continue;
                }
                boolean sweep = sweepDue() || System.nanoTime() >= nextSweep;
                if (sweep) {
                    nextSweep = System.nanoTime() + SWEEP.toNanos();
                }
                work(pods, sweep);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(Set<Ended> pods, boolean sweep) throws InterruptedException {
        var failed = new AtomicBoolean();
        Hands.each(pods, AT_ONCE, pod -> release(pod, failed));
        if (sweep) {
            release.checkAll();
            resources.checkAll();
        }
        if (failed.get()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
        }
    }

    private void release(Ended pod, AtomicBoolean failed) {
        try {
            release.claimsOf(pod.namespace(), pod.name()).forEach(release::check);
            resources.claimsOf(pod.namespace(), pod.name()).forEach(resources::check);
        } catch (RuntimeException problem) {
            LOG.warn(
                    "claims of a pod could not be released and are tried again: pod={}/{} reason={}",
                    pod.namespace(),
                    pod.name(),
                    words(problem));
            failed.set(true);
            signal(() -> ended.add(pod));
        }
    }

    /** What is wrong with the API server's answer, or with a claim that somebody made unreadable. */
    static String words(RuntimeException problem) {
        return problem instanceof KubernetesClientException server ? Failure.words(server) : problem.toString();
    }

    private Set<Ended> await(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1));
            while (ended.isEmpty() && !sweepNow && !closed && left > 0) {
                left = work.awaitNanos(left);
            }
            var pods = Set.copyOf(ended);
            ended.clear();
            return pods;
        } finally {
            lock.unlock();
        }
    }

    private boolean sweepDue() {
        lock.lock();
        try {
            boolean due = sweepNow;
            sweepNow = false;
            return due;
        } finally {
            lock.unlock();
        }
    }

    private boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        signal(() -> closed = true);
        thread.interrupt();
    }
}
