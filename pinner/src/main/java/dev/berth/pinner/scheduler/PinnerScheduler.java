package dev.berth.pinner.scheduler;

import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.cache.SlimNodes;
import dev.berth.kube.event.Events;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.NodeRooms;
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
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running scheduler: hears of the cluster, and binds the pods that name it while it leads. One thread decides for
 * all that wait; what goes to one node is written into its ledger together, and the bindings go out side by side.
 */
public final class PinnerScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PinnerScheduler.class);
    private static final String BY_LABEL = "gpu-node-name";
    private static final Duration IDLE = Duration.ofMillis(500);
    /** Every watch ends and is opened again; one that is not for so long is lost. */
    private static final Duration WITHOUT_WATCH = Duration.ofSeconds(10);

    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final int MOST_TOGETHER = 4096;
    private static final int WRITES_AT_ONCE = 64;

    /**
     * What the scheduler is told.
     *
     * @param schedulerName the pods it binds have this {@code schedulerName}
     * @param exclusive no GPU for two pods, not even where one map says so
     * @param identity what no other replica is called
     * @param election how the leader of several replicas is found; empty for the only one
     */
    public record Settings(String schedulerName, boolean exclusive, String identity, Optional<Election> election) {}

    /** The Lease by which the leader is found. */
    public record Election(String namespace, String lease, LeaderElection.Timing timing) {}

    private final Settings settings;
    private final Cache<Node> nodes;
    private final Pods pods;
    private final NodeRooms rooms = new NodeRooms();
    private final NumberedCards cards;
    private final NodeLedgers ledgers;
    private final Tenure tenure;
    private final PodQueue queue = new PodQueue(System::nanoTime);
    private final Plans plans;
    private final PinWay way;
    private final PodNews news;
    private final MapNews mapNews;
    private final ScheduleMetrics metrics;
    private final Semaphore underway = new Semaphore(MOST_TOGETHER);
    private final Semaphore writes = new Semaphore(WRITES_AT_ONCE);
    private final Thread thread;
    private final Optional<LeaderElection> election;

    private PinnerScheduler(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> openLedgers,
            Settings settings,
            PrometheusRegistry registry,
            InstantSource clock) {
        this.settings = settings;
        this.nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(BY_LABEL, NodeNames::label), new SlimNodes());
        this.pods = new Pods(cluster);
        this.cards = new NumberedCards(nodes, pods);
        this.ledgers = openLedgers.apply(cards);
        this.plans =
                new Plans(new NodeNames(label -> nodes.by(BY_LABEL, label), name -> nodes.find("", name)), rooms::find);
        var evidence = new PinnedPods(
                cluster, settings.schedulerName(), pods, plans, this::node, this::filled, ledgers::ledger);
        this.tenure = new Tenure(ledgers, evidence, clock, settings.election().isEmpty());
        this.way = new PinWay(cluster, plans, rooms, ledgers, settings.exclusive(), clock);
        this.news = new PodNews(
                cluster,
                Events.start(cluster, settings.schedulerName(), settings.identity(), clock, Events.Limits.STANDARD),
                clock);
        this.mapNews = new MapNews(news);
        this.metrics = new ScheduleMetrics(registry, "pinner", queue::size, queue::parked, tenure::leading);
        listen();
        nodes.start();
        pods.start();
        this.thread = Thread.ofPlatform().name("pinner-scheduler").start(this::run);
        this.election = settings.election()
                .map(how -> LeaderElection.start(
                        new Leases(cluster, how.namespace(), clock),
                        how.lease(),
                        settings.identity(),
                        how.timing(),
                        tenure));
    }

    /** Starts; returns at once. The ledgers get what is known of nodes' GPUs. */
    public static PinnerScheduler start(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            Settings settings,
            PrometheusRegistry registry,
            InstantSource clock) {
        return new PinnerScheduler(cluster, ledgers, settings, registry, clock);
    }

    /** What keeps it from working, if anything does. */
    public Optional<String> notReady() {
        if (!filled()) {
            return Optional.of("pods and nodes are not all known yet");
        }
        if (!nodes.following(WITHOUT_WATCH) || !pods.following(WITHOUT_WATCH)) {
            return Optional.of("the API server tells nothing of pods and nodes any more");
        }
        return ledgers.synced() ? Optional.empty() : Optional.of("the node ledgers are not known yet");
    }

    public boolean leading() {
        return tenure.leading();
    }

    private boolean filled() {
        return nodes.synced() && pods.synced();
    }

    private Optional<Node> node(NodeName name) {
        return nodes.find("", name.value());
    }

    private void listen() {
        nodes.onChange(rooms::heardNode);
        pods.onChange(rooms::heardPod);
        rooms.onTakenBack(queue::gaveBack);
        cards.onChange(ledgers::renamed);
        nodes.onChange(this::heardNode);
        pods.onChange(this::heardPod);
        ledgers.onChange(this::heardPage);
    }

    private void heardNode(Change<Node> change) {
        boolean same = change instanceof Change.Updated<Node>(var before, var after)
                && NodeRoom.empty(before).equals(NodeRoom.empty(after))
                && NodeGpus.of(before).equals(NodeGpus.of(after));
        if (!same) {
            queue.wake();
        }
    }

    private void heardPod(Change<Pod> change) {
        var pod = change.newest();
        boolean ours = PodFilter.isOf(pod, settings.schedulerName());
        if (change instanceof Change.Removed<Pod> || Sighting.finished(pod)) {
            queue.remove(pod.getMetadata().getUid());
            Pods.nodeOf(pod).ifPresent(node -> ended(node, pod.getMetadata().getUid(), ours));
        } else if (!PodFilter.wantsANode(pod)) {
            queue.remove(pod.getMetadata().getUid());
        } else if (ours
                && !(change instanceof Change.Updated<Pod>(var before, var after)
                        && !PodFilter.changed(before, after))) {
            queue.offer(PodFilter.ticket(pod));
        }
    }

    private void ended(NodeName node, String uid, boolean ours) {
        if (ours && tenure.begun()) {
            // The watch has said that it is gone: nobody needs to wait until what was assumed for it expires.
            Thread.ofVirtual().name("release").start(() -> way.release(node, uid));
        }
        queue.wake();
    }

    private void heardPage(NodeName place, Holdings before, Holdings after) {
        if (before.freedBy(after)) {
            queue.wake();
        }
    }

    private void run() {
        try {
            while (!tenure.stopped()) {
                if (!tenure.leading() || !filled() || !ledgers.synced()) {
                    TimeUnit.MILLISECONDS.sleep(20);
                } else if (!tenure.begun()) {
                    takeOver();
                } else {
                    place(waiting());
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What bound pods show is in the ledgers before the first decision. */
    private void takeOver() throws InterruptedException {
        if (tenure.begin()) {
            LOG.info("places pods: scheduler={} exclusive={}", settings.schedulerName(), settings.exclusive());
        }
    }

    /** All pods whose turn has come. */
    private List<PodQueue.Ticket> waiting() throws InterruptedException {
        var tickets = new ArrayList<PodQueue.Ticket>();
        for (var next = queue.poll(IDLE); next.isPresent(); next = queue.poll()) {
            tickets.add(next.get());
            if (tickets.size() == MOST_TOGETHER || tenure.stopped()) {
                break;
            }
        }
        return tickets;
    }

    /** A pod, and what its attempt is counted by. */
    private record Attempt(PodQueue.Ticket ticket, Pin pin, long start) {}

    private void place(List<PodQueue.Ticket> tickets) throws InterruptedException {
        long start = System.nanoTime();
        Map<NodeName, List<Attempt>> byNode = new LinkedHashMap<>();
        for (var ticket : tickets) {
            var found = pods.find(ticket.namespace(), ticket.name())
                    .filter(pod -> ticket.uid().equals(pod.getMetadata().getUid()) && PodFilter.wantsANode(pod));
            if (found.isEmpty()) {
                queue.remove(ticket.uid());
                continue;
            }
            try {
                plans.map(found.get()).ifPresent(map -> mapNews.problems(found.get(), map));
                switch (way.plan(found.get())) {
                    case Plans.Plan.Go(var pin) ->
                        byNode.computeIfAbsent(pin.node(), _ -> new ArrayList<>())
                                .add(new Attempt(ticket, pin, start));
                    case Plans.Plan.Wait(var note, var code) -> {
                        underway.acquire();
                        start(ticket, () -> settle(ticket, found.get(), new Outcome.Refused(note, code), start));
                    }
                }
            } catch (RuntimeException bug) {
                LOG.error("pod could not be decided about: pod={}/{}", ticket.namespace(), ticket.name(), bug);
                queue.failed(ticket);
            }
        }
        for (var attempts : byNode.values()) {
            underway.acquire(attempts.size());
            Thread.ofVirtual().name("pin").start(() -> placeTogether(attempts));
        }
    }

    /** All pods of one node: one write for their GPUs, then their bindings. */
    private void placeTogether(List<Attempt> attempts) {
        var node = attempts.getFirst().pin().node();
        try {
            var reserved = way.reserve(node, attempts.stream().map(Attempt::pin).toList());
            for (var attempt : attempts) {
                var refused =
                        Optional.ofNullable(reserved.refused().get(attempt.pin().uid()));
                start(attempt.ticket(), () -> {
                    var outcome = refused.orElseGet(() -> written(() -> way.bind(attempt.pin(), reserved.expires())));
                    settle(attempt, outcome);
                });
            }
        } catch (RuntimeException bug) {
            LOG.error("pods could not be placed: node={}", node, bug);
            attempts.forEach(attempt -> queue.failed(attempt.ticket()));
            underway.release(attempts.size());
        }
    }

    /** Runs this beside the others, for one pod that is counted as under way. */
    private void start(PodQueue.Ticket ticket, Runnable task) {
        Thread.ofVirtual().name("pin-" + ticket.name()).start(() -> {
            try {
                task.run();
            } catch (RuntimeException bug) {
                LOG.error("pod could not be placed: pod={}/{}", ticket.namespace(), ticket.name(), bug);
                queue.failed(ticket);
            } finally {
                underway.release();
            }
        });
    }

    private Outcome written(Supplier<Outcome> write) {
        writes.acquireUninterruptibly();
        try {
            return write.get();
        } finally {
            writes.release();
        }
    }

    private void settle(Attempt attempt, Outcome outcome) {
        var pin = attempt.pin();
        settle(attempt.ticket(), pin.pod(), outcome, attempt.start());
        if (outcome instanceof Outcome.Placed) {
            news.placed(pin.pod(), pin.node(), pin.what(), pin.why());
            if (!settings.exclusive()) {
                mapNews.sharing(pin);
            }
            mapNews.differences(pin);
        }
    }

    private void settle(PodQueue.Ticket ticket, Pod pod, Outcome outcome, long start) {
        var took = Duration.ofNanos(System.nanoTime() - start);
        switch (outcome) {
            case Outcome.Placed _ -> {
                queue.placed(ticket.uid());
                metrics.count(ScheduleMetrics.Result.SCHEDULED, List.of(), took);
            }
            case Outcome.Refused(var note, var code) -> {
                queue.refused(ticket);
                metrics.count(ScheduleMetrics.Result.UNSCHEDULABLE, List.of(code), took);
                news.refused(pod, note);
            }
            case Outcome.Failed(var why) -> {
                queue.failed(ticket);
                metrics.count(ScheduleMetrics.Result.ERROR, List.of(), took);
                news.failed(pod, why);
            }
            case Outcome.NotWanted _ -> {
                queue.remove(ticket.uid());
                metrics.count(ScheduleMetrics.Result.NOT_WANTED, List.of(), took);
                news.notWanted(pod);
            }
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
            if (underway.tryAcquire(MOST_TOGETHER, DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                underway.release(MOST_TOGETHER);
            } else {
                LOG.warn("some pods were still being bound: what is not bound is placed by the next one");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        election.ifPresent(LeaderElection::close);
        tenure.close();
        news.close();
        ledgers.close();
        pods.close();
        nodes.close();
    }
}
