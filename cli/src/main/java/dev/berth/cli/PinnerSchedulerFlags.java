package dev.berth.cli;

import dev.berth.cli.door.PinnerSchedulerDoor;
import dev.berth.cli.door.Place;
import dev.berth.kube.Cluster;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.pinner.scheduler.PinnerScheduler;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of the pinner's scheduler, and the scheduler that they describe, as a picocli mixin. */
final class PinnerSchedulerFlags {
    @Mixin
    private LedgerFlags ledger = new LedgerFlags();

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description =
                    "Port of /health, /ready, /healthz, /readyz and /metrics; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int healthPort;

    @Option(
            names = "--exclusive",
            description = "No GPU for two pods. Without it one map may give a GPU to several of its replicas.")
    private boolean exclusive;

    @Option(
            names = "--no-leader-elect",
            negatable = true,
            description =
                    "Do not look for a leader by a Lease: for a scheduler without other replicas. Default: a leader is elected.")
    private boolean alone;

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAME",
            description = "Where the Lease of the leader is. Default: the namespace of the kubeconfig or of the pod.")
    private @Nullable String leaseNamespace;

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            description = "The Lease of the leader. Default: the scheduler's name.")
    private @Nullable String leaseName;

    PinnerSchedulerDoor open(Cluster cluster, String name, String bindAddress, Metrics metrics, InstantSource clock) {
        return PinnerSchedulerDoor.open(
                cluster,
                new PinnerSchedulerDoor.Settings(settings(cluster, name), ledger, Place.plain(bindAddress, healthPort)),
                metrics,
                clock);
    }

    private PinnerScheduler.Settings settings(Cluster cluster, String name) {
        var election = alone
                ? Optional.<PinnerScheduler.Election>empty()
                : Optional.of(new PinnerScheduler.Election(
                        leaseNamespace == null ? cluster.namespace() : leaseNamespace,
                        leaseName == null ? name : leaseName,
                        LeaderElection.Timing.STANDARD));
        // A restarted replica is another one, even under its old host name.
        return new PinnerScheduler.Settings(name, exclusive, "berth-%s".formatted(UUID.randomUUID()), election);
    }
}
