package dev.berth.kube.lease;

import dev.berth.kube.lease.LeaseOutcome.Acquired;
import dev.berth.kube.lease.LeaseOutcome.HeldBy;
import dev.berth.kube.lease.LeaseOutcome.Lost;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one of several replicas the leader, by a Lease. Whether the leader of the moment is dead is judged by how long
 * its Lease has not changed on our own clock, so that two clocks that differ do not make two leaders.
 */
public final class LeaderElection implements AutoCloseable {
    /** What a replica does when it becomes the leader, and when it is no longer. Both must return soon. */
    public interface Candidate {
        void elected();

        void deposed(String why);
    }

    /** How long a leader lasts without renewing, how long it tries to renew, and how often all look at the Lease. */
    public record Timing(Duration lease, Duration renewDeadline, Duration period) {
        public static final Timing STANDARD =
                new Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

        public Timing {
            if (lease.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(period) <= 0) {
                throw new IllegalArgumentException("lease %s must be longer than deadline %s, and that than period %s"
                        .formatted(lease, renewDeadline, period));
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    private final Leases leases;
    private final LeaseClaim claim;
    private final Timing timing;
    private final Candidate candidate;
    private final LongSupplier nanos;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    private @Nullable Lease observed;
    private long observedAt;
    private long renewedAt;
    private volatile boolean leading;

    private LeaderElection(Leases leases, LeaseClaim claim, Timing timing, Candidate candidate, LongSupplier nanos) {
        this.leases = leases.within(timing.period());
        this.claim = claim;
        this.timing = timing;
        this.candidate = candidate;
        this.nanos = nanos;
        this.thread = Thread.ofVirtual().name("election-" + claim.name()).unstarted(this::campaign);
    }

    /** Runs for leader under this identity, which no other replica may have, until closed. */
    public static LeaderElection start(
            Leases leases, String leaseName, String identity, Timing timing, Candidate candidate) {
        var claim = new LeaseClaim(leaseName, identity, timing.lease());
        var election = new LeaderElection(leases, claim, timing, candidate, System::nanoTime);
        election.thread.start();
        return election;
    }

    public boolean leading() {
        return leading;
    }

    private void campaign() {
        try {
            do {
                if (leading) {
                    lead();
                } else {
                    apply();
                }
            } while (!stopped.await(timing.period().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            resign();
        }
    }

    private void apply() {
        long asked = nanos.getAsLong();
        try {
            switch (attempt()) {
                case Acquired(var lease) -> {
                    observe(lease, asked);
                    renewedAt = asked;
                    leading = true;
                    LOG.info("elected leader: lease={} identity={}", claim.name(), claim.holder());
                    tell(candidate::elected);
                }
                case HeldBy held -> LOG.debug("leader is another: lease={} holder={}", claim.name(), held.holder());
                case Lost(var why) -> LOG.debug("lease is not ours: lease={} reason={}", claim.name(), why);
            }
        } catch (KubernetesClientException problem) {
            LOG.warn(
                    "leader election cannot reach the lease: lease={} reason={}", claim.name(), Failure.words(problem));
        }
    }

    private LeaseOutcome attempt() {
        Optional<Lease> current = leases.read(claim.name());
        if (current.isEmpty()) {
            return leases.acquire(claim);
        }
        var lease = current.get();
        var seen = new LeaseRecord(lease);
        if (observed == null || !sameVersion(observed, lease)) {
            observe(lease, nanos.getAsLong());
        }
        // A restarted replica under its old name waits like any other: its old process may still be finishing.
        boolean silent = nanos.getAsLong() - observedAt > timing.lease().toNanos();
        if (seen.free() || silent) {
            return leases.takeOver(lease, claim);
        }
        return new HeldBy(seen.holder(), seen.expiry());
    }

    private void lead() throws InterruptedException {
        long asked = nanos.getAsLong();
        String why;
        try {
            var lease = observed;
            if (lease == null) {
                throw new IllegalStateException("leading without a lease");
            }
            switch (renewed(lease)) {
                case Acquired(var renewed) -> {
                    observe(renewed, asked);
                    renewedAt = asked;
                    return;
                }
                case HeldBy held -> why = "the lease is held by " + held.holder();
                case Lost(var reason) -> why = reason;
            }
        } catch (KubernetesClientException problem) {
            // Not renewed is not lost: the lease is ours until its time is up, less the margin of the deadline.
            if (nanos.getAsLong() - renewedAt
                    < timing.renewDeadline().toNanos() - timing.period().toNanos()) {
                LOG.warn(
                        "lease could not be renewed and is tried again: lease={} reason={}",
                        claim.name(),
                        Failure.words(problem));
                return;
            }
            why = late();
        } catch (TimeoutException silent) {
            why = late();
        }
        step(why);
    }

    /** Waited for no longer than until the deadline: a server that takes the request and says nothing is as bad. */
    private LeaseOutcome renewed(Lease lease) throws InterruptedException, TimeoutException {
        var renewal = new FutureTask<>(() -> leases.renew(lease, claim));
        Thread.ofVirtual().name("renewal-" + claim.name()).start(renewal);
        try {
            return renewal.get(renewedAt + timing.renewDeadline().toNanos() - nanos.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new IllegalStateException(failed.getCause());
        } finally {
            renewal.cancel(true);
        }
    }

    private String late() {
        return "the lease could not be renewed within " + timing.renewDeadline();
    }

    private void step(String why) {
        leading = false;
        observed = null;
        LOG.warn("no longer leader: lease={} reason={}", claim.name(), why);
        tell(() -> candidate.deposed(why));
    }

    private void resign() {
        var lease = observed;
        if (!leading || lease == null) {
            return;
        }
        // First stop leading, then let go: the other way round two would lead for a moment.
        step("shutting down");
        try {
            leases.release(lease);
        } catch (KubernetesClientException problem) {
            LOG.warn(
                    "lease could not be released, it will run out: lease={} reason={}",
                    claim.name(),
                    Failure.words(problem));
        }
    }

    private void tell(Runnable message) {
        try {
            message.run();
        } catch (RuntimeException problem) {
            LOG.error("candidate failed: lease={}", claim.name(), problem);
        }
    }

    private void observe(Lease lease, long at) {
        observed = lease;
        observedAt = at;
    }

    private static boolean sameVersion(Lease one, Lease other) {
        return one.getMetadata().getResourceVersion().equals(other.getMetadata().getResourceVersion());
    }

    /** Stops, tells the candidate, and releases the Lease; waits for that no longer than the renew deadline. */
    @Override
    public void close() {
        stopped.countDown();
        try {
            if (!thread.join(timing.renewDeadline())) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
