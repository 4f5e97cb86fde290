package dev.berth.claims.scheduler;

import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.dra.demand.PodResourceClaims;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.status.Held;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.event.Events;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.lease.Leases;
import dev.berth.kube.ledger.DoorCards;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.schedule.PodFilter;
import dev.berth.kube.schedule.PodNews;
import dev.berth.kube.schedule.PodQueue;
import dev.berth.kube.schedule.Tenure;
import dev.berth.web.health.ScheduleMetrics;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running scheduler: hears of the cluster, and places its pods one after the other while it leads. Decisions are
 * made by one thread; what they write goes out for many pods at once.
 */
public final class ClaimsScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimsScheduler.class);
    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final int WRITES_AT_ONCE = 64;

    /**
     * What the scheduler is told.
     *
     * @param schedulerName the pods it places have this {@code schedulerName}
     * @param identity what no other replica is called
     * @param bindingTimeout how long a pod waits for devices that their driver must make ready first
     */
    public record Settings(
            String schedulerName,
            Policy policy,
            String identity,
            String leaseNamespace,
            String leaseName,
            LeaderElection.Timing timing,
            Duration bindingTimeout) {
        /** As kube-scheduler has it. */
        public static final Duration BINDING_TIMEOUT = Duration.ofMinutes(10);

        public Settings(
                String schedulerName,
                Policy policy,
                String identity,
                String leaseNamespace,
                String leaseName,
                LeaderElection.Timing timing) {
            this(schedulerName, policy, identity, leaseNamespace, leaseName, timing, BINDING_TIMEOUT);
        }
    }

    private final Settings settings;
    private final ClaimsWorld world;
    private final NodeLedgers ledgers;
    private final ClaimEvidence evidence;
    private final ResourceEvidence resourceEvidence;
    private final Tenure tenure;
    private final PodQueue queue = new PodQueue(System::nanoTime);
    private final Ways ways;
    private final Releases releases;
    private final PodNews news;
    private final ScheduleMetrics metrics;
    private final Semaphore writes = new Semaphore(WRITES_AT_ONCE);
    private final Thread thread;
    private final LeaderElection election;

    private ClaimsScheduler(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> openLedgers,
            Settings settings,
            PrometheusRegistry registry,
            InstantSource clock) {
        this.settings = settings;
        this.world = new ClaimsWorld(cluster);
        this.ledgers = openLedgers.apply(world.cards());
        this.evidence = new ClaimEvidence(world.book(), world.catalogue(), world::synced);
        this.resourceEvidence = new ResourceEvidence(world.resourceBook(), world.slices(), world::synced);
        this.tenure = new Tenure(ledgers, new BothEvidence(evidence, resourceEvidence), clock, false);
        var release = new Release(world, ledgers);
        var underway = new Underway();
        var readiness = new DeviceReadiness(world.resourceBook(), settings.bindingTimeout(), this::aside);
        this.ways = new Ways(
                new PodWay(world, ledgers, settings.policy(), release, underway, clock),
                new ResourceWay(world, ledgers, settings.policy(), underway, readiness, clock));
        this.releases = new Releases(release, new ResourceRelease(world), () -> tenure.leading() && world.synced());
        this.news = new PodNews(
                cluster,
                Events.start(cluster, settings.schedulerName(), settings.identity(), clock, Events.Limits.STANDARD),
                clock);
        this.metrics = new ScheduleMetrics(registry, "claims", queue::size, queue::parked, tenure::leading);
        listen();
        world.start();
        this.thread = Thread.ofPlatform().name("claims-scheduler").start(this::run);
        this.election = LeaderElection.start(
                new Leases(cluster, settings.leaseNamespace(), clock),
                settings.leaseName(),
                settings.identity(),
                settings.timing(),
                tenure);
    }

    /** Starts; returns at once. The ledgers get what is known of nodes' devices. */
    public static ClaimsScheduler start(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            Settings settings,
            PrometheusRegistry registry,
            InstantSource clock) {
        return new ClaimsScheduler(cluster, ledgers, settings, registry, clock);
    }

    /** What keeps it from working, if anything does. */
    public Optional<String> notReady() {
        if (!world.synced()) {
            return Optional.of("the caches are not filled yet");
        }
        return ledgers.synced() ? Optional.empty() : Optional.of("the node ledgers are not known yet");
    }

    public boolean leading() {
        return tenure.leading();
    }

    private void listen() {
        world.pods().onChange(this::heardPod);
        world.nodes().onChange(this::heardNode);
        world.rooms().onTakenBack(queue::gaveBack);
        world.catalogue().onChange(queue::wake);
        world.book().onChange(this::heardClaim);
        world.slices().onChange(queue::wake);
        world.resourceBook().onChange(this::heardResourceClaim);
        ledgers.onChange(this::heardPage);
        world.cards().onChange(ledgers::renamed);
    }

    private void heardPod(Change<Pod> change) {
        var pod = change.newest();
        if (change instanceof Change.Removed<Pod> || Sighting.finished(pod)) {
            queue.remove(pod.getMetadata().getUid());
            releases.ended(pod);
            queue.wake();
        } else if (!PodFilter.wantsANode(pod)) {
            queue.remove(pod.getMetadata().getUid());
        } else if (PodFilter.isOf(pod, settings.schedulerName())
                && PodResourceClaims.areMade(pod)
                && !(change instanceof Change.Updated<Pod>(var before, var after)
                        && !PodFilter.changed(before, after)
                        && PodResourceClaims.areMade(before))) {
            queue.offer(PodFilter.ticket(pod));
        }
    }

    private void heardNode(Change<Node> change) {
        boolean same = change instanceof Change.Updated<Node>(var before, var after)
                && NodeRoom.empty(before).equals(NodeRoom.empty(after));
        if (!same) {
            queue.wake();
        }
    }

    private void heardClaim(Optional<DeviceClaim> before, Optional<DeviceClaim> after) {
        evidence.heard(before, after).forEach(tenure::tell);
        // A claim that got its devices helps nobody but the pods that share it; everything else may.
        boolean allocated = after.filter(claim -> claim.status().isAllocated()).isPresent();
        boolean sharedByOthers = after.filter(
                        claim -> claim.metadata().all().path("ownerReferences").isEmpty())
                .isPresent();
        if (!allocated || sharedByOthers) {
            queue.wake();
        }
    }

    private void heardResourceClaim(Optional<ResourceClaim> before, Optional<ResourceClaim> after) {
        resourceEvidence.heard(before, after).forEach(tenure::tell);
        boolean had = before.filter(claim -> !Held.results(claim).isEmpty()).isPresent();
        boolean has = after.filter(claim -> !Held.results(claim).isEmpty()).isPresent();
        boolean sharedByOthers = after.filter(claim ->
                        Given.list(claim.getMetadata().getOwnerReferences()).isEmpty())
                .isPresent();
        // One that was made for a pod is heard of with the pod itself; what is given back may help anybody.
        if ((had && !has) || (sharedByOthers && had != has) || (sharedByOthers && before.isEmpty())) {
            queue.wake();
        }
    }

    private void heardPage(NodeName place, Holdings before, Holdings after) {
        if (before.freedBy(after)) {
            queue.wake();
        }
    }

    private void run() {
        try {
            while (!tenure.stopped()) {
                if (!tenure.leading() || notReady().isPresent()) {
                    TimeUnit.MILLISECONDS.sleep(50);
                } else if (!tenure.begun()) {
                    takeOver();
                } else {
                    var ticket = queue.poll(IDLE);
                    if (ticket.isPresent()) {
                        attempt(ticket.get());
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the claims show is in the ledgers before the first decision. */
    private void takeOver() throws InterruptedException {
        if (!tenure.begin()) {
            return;
        }
        releases.checkSoon();
        LOG.info(
                "places pods: scheduler={} policy={}",
                settings.schedulerName(),
                settings.policy().name());
    }

    private void attempt(PodQueue.Ticket ticket) throws InterruptedException {
        long start = System.nanoTime();
        var found = world.pods()
                .find(ticket.namespace(), ticket.name())
                .filter(pod -> ticket.uid().equals(pod.getMetadata().getUid()) && PodFilter.wantsANode(pod));
        if (found.isEmpty()) {
            queue.remove(ticket.uid());
            return;
        }
        Supplier<Outcome> rest;
        try {
            rest = ways.decide(found.get());
        } catch (RuntimeException bug) {
            LOG.error("pod could not be decided about: pod={}/{}", ticket.namespace(), ticket.name(), bug);
            queue.failed(ticket);
            return;
        }
        writes.acquire();
        Thread.ofVirtual().name("place-" + ticket.name()).start(() -> {
            try {
                var outcome = rest.get();
                settle(ticket, outcome);
                count(outcome, Duration.ofNanos(System.nanoTime() - start));
                OutcomeNews.tell(news, found.get(), outcome);
            } catch (RuntimeException bug) {
                LOG.error("pod could not be placed: pod={}/{}", ticket.namespace(), ticket.name(), bug);
                queue.failed(ticket);
            } finally {
                writes.release();
            }
        });
    }

    /** A pod whose devices are not ready yet keeps nobody from writing. */
    private Optional<String> aside(Supplier<Optional<String>> wait) {
        writes.release();
        try {
            return wait.get();
        } finally {
            writes.acquireUninterruptibly();
        }
    }

    private void count(Outcome outcome, Duration took) {
        var reasons = outcome instanceof Outcome.Refused refused ? refused.codes() : List.<String>of();
        var result = switch (outcome) {
            case Outcome.Placed _ -> ScheduleMetrics.Result.SCHEDULED;
            case Outcome.Refused _ -> ScheduleMetrics.Result.UNSCHEDULABLE;
            case Outcome.LostRace _ -> ScheduleMetrics.Result.LOST_RACE;
            case Outcome.Failed _ -> ScheduleMetrics.Result.ERROR;
            case Outcome.NotWanted _ -> ScheduleMetrics.Result.NOT_WANTED;
        };
        metrics.count(result, reasons, took);
    }

    private void settle(PodQueue.Ticket ticket, Outcome outcome) {
        switch (outcome) {
            case Outcome.Placed _ -> queue.placed(ticket.uid());
            case Outcome.NotWanted _ -> queue.remove(ticket.uid());
            case Outcome.Refused _ -> queue.refused(ticket);
            case Outcome.LostRace _ -> queue.lostRace(ticket);
            case Outcome.Failed _ -> queue.failed(ticket);
        }
    }

    /** Finishes what is being written, lets go of the lease, and stops. */
    @Override
    public void close() {
        if (!tenure.stop()) {
            return;
        }
        queue.close();
        try {
            thread.join(DRAIN);
            if (writes.tryAcquire(WRITES_AT_ONCE, DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                writes.release(WRITES_AT_ONCE);
            } else {
                LOG.warn("some pods were still being placed: what is not bound is placed by the next one");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        election.close();
        tenure.close();
        releases.close();
        news.close();
        ledgers.close();
        world.close();
    }
}
