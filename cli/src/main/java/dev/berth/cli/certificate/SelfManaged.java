package dev.berth.cli.certificate;

import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionException;
import dev.berth.kube.config.CaBundles;
import dev.berth.kube.config.CaBundles.Outcome;
import dev.berth.kube.config.Secrets;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.lease.LeaderElection.Candidate;
import dev.berth.kube.lease.LeaderElection.Timing;
import dev.berth.kube.lease.Leases;
import dev.berth.web.tls.CertificateRotation;
import dev.berth.web.tls.ManagedCertificates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates of a door, for all of its replicas: one of them, by a Lease, makes and renews them; all use what the
 * Secret holds.
 */
final class SelfManaged implements AutoCloseable {
    /** Names of webhook configurations that must trust our authority. */
    record Webhooks(List<String> mutating, List<String> validating) {
        Webhooks {
            mutating = List.copyOf(mutating);
            validating = List.copyOf(validating);
        }
    }

    private static final Logger log = LoggerFactory.getLogger(SelfManaged.class);
    /** Also how soon a replica serves what another one has renewed. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final ManagedCertificates certificates;
    private final LeaderElection election;
    private final CertificateRotation rotation;

    private SelfManaged(Cluster cluster, ServiceName service, String secret, Webhooks webhooks, InstantSource clock) {
        election = LeaderElection.start(
                new Leases(cluster, service.namespace(), clock),
                secret,
                "berth-" + UUID.randomUUID(),
                Timing.STANDARD,
                new Silent());
        certificates = new ManagedCertificates(
                new SecretVault(new Secrets(cluster, service.namespace()), secret),
                ManagedCertificates.Settings.forNames(service.hosts()),
                clock,
                election::leading,
                authorities -> trust(new CaBundles(cluster), webhooks, authorities));
        rotation = CertificateRotation.start(certificates, PERIOD);
    }

    /** Returns when there is a certificate to serve with. */
    static SelfManaged start(
            Cluster cluster, ServiceName service, String secret, Webhooks webhooks, InstantSource clock)
            throws InterruptedException {
        var managed = new SelfManaged(cluster, service, secret, webhooks, clock);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!managed.certificates.ready()) {
            if (System.nanoTime() > deadline) {
                managed.close();
                throw new ConnectionException(
                        "no certificate after %d s: the Secret %s/%s holds none, and none could be made (the log has the cause)"
                                .formatted(PATIENCE.toSeconds(), service.namespace(), secret));
            }
            Thread.sleep(LOOK_AGAIN);
        }
        return managed;
    }

    ManagedCertificates certificates() {
        return certificates;
    }

    private static void trust(CaBundles bundles, Webhooks webhooks, String authorities) {
        webhooks.mutating().forEach(name -> report(name, bundles.writeMutating(name, authorities)));
        webhooks.validating().forEach(name -> report(name, bundles.writeValidating(name, authorities)));
    }

    private static void report(String name, Outcome outcome) {
        switch (outcome) {
            case WRITTEN -> log.info("webhook configuration={} trusts our authorities", name);
            // Charts make it after the pods: it is there at one of the next rounds.
            case ABSENT -> log.warn("webhook configuration={} does not exist (yet): nobody calls this door", name);
            case UNCHANGED -> {}
        }
    }

    @Override
    public void close() {
        rotation.close();
        election.close();
    }

    /** The rotation asks by itself whether this replica leads. */
    private record Silent() implements Candidate {
        @Override
        public void elected() {}

        @Override
        public void deposed(String why) {}
    }
}
