package dev.berth.kube.lease;

import dev.berth.kube.Cluster;
import dev.berth.kube.lease.LeaseOutcome.Acquired;
import dev.berth.kube.lease.LeaseOutcome.HeldBy;
import dev.berth.kube.lease.LeaseOutcome.Lost;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the Leases of one namespace so that of two writers one wins: a Lease is created only where there is none, and
 * changed only under the resourceVersion that was looked at. A request that may have been done is repeated safely,
 * because its second run finds either our own holder or a conflict.
 */
public final class Leases {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String namespace;
    private final String path;
    private final InstantSource clock;
    private final Duration within;

    public Leases(Cluster cluster, String namespace, InstantSource clock) {
        this(cluster, namespace, clock, PATIENCE);
    }

    private Leases(Cluster cluster, String namespace, InstantSource clock, Duration within) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);
        this.clock = clock;
        this.within = within;
    }

    /** The same leases for a caller with more or less patience. */
    public Leases within(Duration patience) {
        return new Leases(cluster, namespace, clock, patience);
    }

    public Optional<Lease> read(String name) {
        return cluster.retry().call(Repeat.IF_UNKNOWN, within, () -> get(name));
    }

    /** Takes the Lease if it is absent, free, expired by this process's clock, or ours already. */
    public LeaseOutcome acquire(LeaseClaim claim) {
        return cluster.retry().call(Repeat.IF_CONFLICT, within, () -> {
            var current = get(claim.name());
            if (current.isEmpty()) {
                return new Acquired(create(LeaseRecord.fresh(claim, namespace, clock.instant())));
            }
            var lease = new LeaseRecord(current.get());
            if (lease.free() || lease.heldBy(claim.holder()) || lease.expiredAt(clock.instant())) {
                return new Acquired(update(lease.claimed(claim, clock.instant())));
            }
            return new HeldBy(lease.holder(), lease.expiry());
        });
    }

    /**
     * Takes the Lease only where there is none, as of this moment: one request where {@link #acquire} needs two.
     *
     * @param since what is written as the time of acquisition
     */
    public LeaseOutcome create(LeaseClaim claim, Instant since) {
        return cluster.retry().call(Repeat.IF_CONFLICT, within, () -> {
            try {
                return new Acquired(create(LeaseRecord.fresh(claim, namespace, since)));
            } catch (KubernetesClientException problem) {
                if (Failure.of(problem) != Failure.CONFLICT) {
                    throw problem;
                }
                var current = get(claim.name()).map(LeaseRecord::new);
                if (current.isEmpty()) {
                    throw problem;
                }
                // Ours already: an earlier attempt arrived, and its answer did not.
                var lease = current.get();
                return lease.heldBy(claim.holder())
                        ? new Acquired(lease.lease())
                        : new HeldBy(lease.holder(), lease.expiry());
            }
        });
    }

    /** Takes exactly this version of the Lease from whoever holds it; for callers who judge expiry themselves. */
    public LeaseOutcome takeOver(Lease seen, LeaseClaim claim) {
        return cluster.retry().call(Repeat.IF_UNKNOWN, within, () -> {
            try {
                return new Acquired(update(new LeaseRecord(seen).claimed(claim, clock.instant())));
            } catch (KubernetesClientException problem) {
                return afterFailure(problem, claim.name(), claim.holder());
            }
        });
    }

    /** Renews a Lease that is ours, and writes what else the claim says; a new holder in it hands the Lease on. */
    public LeaseOutcome renew(Lease held, LeaseClaim claim) {
        String holder = new LeaseRecord(held).holder();
        var newest = new Lease[] {held};
        return cluster.retry().call(Repeat.IF_CONFLICT, within, () -> {
            try {
                return new Acquired(update(new LeaseRecord(newest[0]).renewed(claim, clock.instant())));
            } catch (KubernetesClientException problem) {
                if (Failure.of(problem) == Failure.ABSENT) {
                    return new Lost("the lease is gone");
                }
                if (Failure.of(problem) != Failure.CONFLICT) {
                    throw problem;
                }
                // Somebody changed it: still ours means a label or our own lost answer, and then it is renewed again.
                var current = get(claim.name()).map(LeaseRecord::new);
                if (current.isEmpty()) {
                    return new Lost("the lease is gone");
                }
                if (!current.get().heldBy(holder) && !current.get().heldBy(claim.holder())) {
                    return new Lost("the lease is held by " + current.get().holder());
                }
                newest[0] = current.get().lease();
                throw problem;
            }
        });
    }

    /** Empties the Lease so that the next one need not wait; whoever has taken it meanwhile keeps it. */
    public void release(Lease held) {
        ifStillOurs(held, lease -> update(new LeaseRecord(lease).released(clock.instant())));
    }

    /** Deletes the Lease if it is still this holder's. */
    public void delete(Lease held) {
        ifStillOurs(held, lease -> {
            var metadata = lease.getMetadata();
            cluster.courier()
                    .tell(
                            "DELETE",
                            path(metadata.getName()),
                            Map.of("preconditions", Map.of("resourceVersion", metadata.getResourceVersion())));
        });
    }

    private void ifStillOurs(Lease held, Consumer<Lease> action) {
        String holder = new LeaseRecord(held).holder();
        cluster.retry().run(Repeat.IF_CONFLICT, within, () -> {
            var current = get(held.getMetadata().getName());
            try {
                current.filter(lease -> new LeaseRecord(lease).heldBy(holder)).ifPresent(action);
            } catch (KubernetesClientException problem) {
                if (Failure.of(problem) != Failure.ABSENT) {
                    throw problem;
                }
            }
        });
    }

    private LeaseOutcome afterFailure(KubernetesClientException problem, String name, String holder) {
        if (Failure.of(problem) == Failure.ABSENT) {
            return new Lost("the lease is gone");
        }
        if (Failure.of(problem) != Failure.CONFLICT) {
            throw problem;
        }
        var current = get(name).map(LeaseRecord::new);
        if (current.isEmpty()) {
            return new Lost("the lease is gone");
        }
        var lease = current.get();
        return lease.heldBy(holder) ? new Acquired(lease.lease()) : new HeldBy(lease.holder(), lease.expiry());
    }

    private Optional<Lease> get(String name) {
        return cluster.courier().get(path(name), Lease.class);
    }

    private Lease create(Lease lease) {
        return cluster.courier().ask("POST", path, lease, Lease.class);
    }

    private Lease update(Lease lease) {
        return cluster.courier().ask("PUT", path(lease.getMetadata().getName()), lease, Lease.class);
    }

    private String path(String name) {
        return path + "/" + name;
    }
}
