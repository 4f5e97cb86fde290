package dev.berth.kube.scheduler;

import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.event.Events;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.ledger.CountedPods;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.pod.BindingOutcome;
import dev.berth.kube.pod.Bindings;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.schedule.PodFilter;
import dev.berth.kube.schedule.PodNews;
import dev.berth.kube.schedule.PodQueue;
import dev.berth.kube.schedule.World;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running scheduler: one pod after the other gets the node with the most room of those that can take it, or is told
 * what each node lacks. It does not preempt, and knows of GPUs how many a node has left beside what the doors hold.
 */
public final class NodeScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeScheduler.class);
    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final int BINDINGS_AT_ONCE = 64;
    private static final String GPUS = "nvidia.com/gpu";

    /** A profile at work. */
    private record Post(Profile profile, PodNews news) {}

    private final Map<String, Post> posts = new LinkedHashMap<>();
    private final World world;
    private final GuestBook guests;
    private final Bindings bindings;
    private final PodQueue queue = new PodQueue(System::nanoTime);
    private final Semaphore underway = new Semaphore(BINDINGS_AT_ONCE);
    private final Thread thread;
    private volatile boolean stopped;

    private NodeScheduler(Cluster cluster, List<Profile> profiles, String instance, InstantSource clock) {
        for (var profile : profiles) {
            var name = profile.schedulerName();
            var events = Events.start(cluster, name, instance, clock, Events.Limits.STANDARD);
            posts.put(name, new Post(profile, new PodNews(cluster, events, clock)));
        }
        this.world = new World(cluster);
        this.guests = new GuestBook(cluster, world, clock);
        this.bindings = new Bindings(cluster);
        world.nodes().onChange(this::heardNode);
        world.pods().onChange(this::heardPod);
        guests.onFreed(queue::wake);
        world.rooms().onTakenBack(queue::gaveBack);
        world.start();
        this.thread = Thread.ofPlatform().name("node-scheduler").start(this::run);
    }

    /**
     * Starts; returns at once.
     *
     * @param profiles the names of the schedulers that it is
     * @param instance how events name this process
     */
    public static NodeScheduler start(Cluster cluster, List<Profile> profiles, String instance, InstantSource clock) {
        return new NodeScheduler(cluster, profiles, instance, clock);
    }

    /** What keeps it from working, if anything does. */
    public Optional<String> notReady() {
        if (!world.synced()) {
            return Optional.of("pods and nodes are not all known yet");
        }
        return guests.synced() ? Optional.empty() : Optional.of("the node ledgers are not known yet");
    }

    private void heardNode(Change<Node> change) {
        boolean same = change instanceof Change.Updated<Node>(var before, var after)
                && NodeRoom.empty(before).equals(NodeRoom.empty(after));
        if (!same) {
            queue.wake();
        }
    }

    private void heardPod(Change<Pod> change) {
        var pod = change.newest();
        var uid = pod.getMetadata().getUid();
        if (change instanceof Change.Removed<Pod> || Sighting.finished(pod)) {
            queue.remove(uid);
            queue.wake();
        } else if (!PodFilter.wantsANode(pod)) {
            queue.remove(uid);
        } else if (posts.containsKey(String.valueOf(pod.getSpec().getSchedulerName()))
                && !(change instanceof Change.Updated<Pod>(var before, var after)
                        && !PodFilter.changed(before, after))) {
            queue.offer(PodFilter.ticket(pod));
        }
    }

    private void run() {
        try {
            while (!stopped) {
                if (notReady().isPresent()) {
                    TimeUnit.MILLISECONDS.sleep(20);
                    continue;
                }
                var ticket = queue.poll(IDLE);
                if (ticket.isPresent()) {
                    attempt(ticket.get());
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(PodQueue.Ticket ticket) throws InterruptedException {
        var pod = world.pods()
                .find(ticket.namespace(), ticket.name())
                .filter(found -> ticket.uid().equals(found.getMetadata().getUid()) && PodFilter.wantsANode(found))
                .orElse(null);
        var post = pod == null ? null : posts.get(pod.getSpec().getSchedulerName());
        if (pod == null || post == null) {
            queue.remove(ticket.uid());
            return;
        }
        try {
            decide(ticket, pod, post);
        } catch (RuntimeException bug) {
            LOG.error("pod could not be decided about: pod={}/{}", ticket.namespace(), ticket.name(), bug);
            queue.failed(ticket);
        }
    }

    /** The way of a pod: the nodes that can take it, the extender's word on them, the binding. */
    private void decide(PodQueue.Ticket ticket, Pod pod, Post post) throws InterruptedException {
        PodNeeds needs;
        try {
            needs = PodNeeds.of(pod);
        } catch (IllegalArgumentException unusable) {
            queue.refused(ticket);
            tell(ticket, pod, post, String.valueOf(unusable.getMessage()));
            return;
        }
        var fitting = Choice.of(needs, world.rooms().all(), world::namespaceLabels);
        var choice = CountedPods.guest(pod)
                .map(guest -> fitting.without("Insufficient " + GPUS, room -> guests.against(room, guest)))
                .orElse(fitting);
        if (choice.fitting().isEmpty()) {
            queue.refused(ticket);
            tell(ticket, pod, post, choice.reasons().note(choice.nodes()));
            return;
        }
        var extender = post.profile().extender().filter(asked -> asked.minds(needs));
        var node = extender.isEmpty()
                ? Optional.of(choice.fitting().getFirst().name())
                : extended(ticket, pod, post, choice, extender.get());
        if (node.isPresent()) {
            var why = extender.isEmpty()
                    ? "the most room of %d nodes that can take it"
                            .formatted(choice.fitting().size())
                    : "the extender's choice of %d nodes that can take it"
                            .formatted(choice.fitting().size());
            world.rooms().assume(needs, node.get());
            start(ticket, pod, () -> place(ticket, pod, post, node.get(), why));
        }
    }

    private Optional<NodeName> extended(
            PodQueue.Ticket ticket, Pod pod, Post post, Choice choice, HttpExtender extender)
            throws InterruptedException {
        var names = choice.fitting().stream().map(node -> node.name().value()).toList();
        HttpExtender.Answer answer;
        try {
            answer = extender.filter(pod, names);
        } catch (HttpExtender.NoAnswerException none) {
            queue.failed(ticket);
            post.news().failed(pod, none.words());
            return Optional.empty();
        }
        var left = new HashSet<>(answer.left());
        var best = names.stream().filter(left::contains).findFirst().map(NodeName::new);
        if (best.isEmpty()) {
            answer.failed().forEach((node, reason) -> choice.reasons().add(new NodeName(node), reason, ""));
            // What the extender waits for may change without any node or pod that shows it: a quota, a reservation.
            queue.failed(ticket);
            tell(ticket, pod, post, choice.reasons().note(choice.nodes()));
        }
        return best;
    }

    private void tell(PodQueue.Ticket ticket, Pod pod, Post post, String note) throws InterruptedException {
        start(ticket, pod, () -> post.news().refused(pod, note));
    }

    /** GPUs are taken in the node's ledger before the pod is bound, and given back if it is not. */
    private void place(PodQueue.Ticket ticket, Pod pod, Post post, NodeName node, String why) {
        var guest = CountedPods.guest(pod);
        var room = world.rooms().find(node);
        if (guest.isEmpty() || room.isEmpty()) {
            bind(ticket, pod, post, node, why);
            return;
        }
        switch (guests.take(room.get(), guest.get())) {
            case LedgerOutcome.Settled<Boolean>(var taken)
            when taken -> {
                if (bind(ticket, pod, post, node, why) == Bound.NO) {
                    guests.giveBack(node, guest.get());
                }
            }
            case LedgerOutcome.Settled<Boolean> _ ->
                lost(ticket, pod, post, "the GPUs on %s went to another".formatted(node));
            case LedgerOutcome.NotWritten<Boolean>(var reason) -> lost(ticket, pod, post, reason);
            case LedgerOutcome.Unknown<Boolean>(var reason) -> lost(ticket, pod, post, reason);
        }
    }

    private void lost(PodQueue.Ticket ticket, Pod pod, Post post, String reason) {
        world.rooms().takeBack(ticket.uid());
        queue.failed(ticket);
        post.news().failed(pod, reason);
    }

    /** What became of a binding; one that was not answered may be there. */
    private enum Bound {
        YES,
        NO,
        PERHAPS
    }

    private Bound bind(PodQueue.Ticket ticket, Pod pod, Post post, NodeName node, String why) {
        try {
            switch (bindings.bind(ticket.namespace(), ticket.name(), ticket.uid(), node, Map.of())) {
                case BindingOutcome.Bound _ -> {
                    queue.placed(ticket.uid());
                    post.news().placed(pod, node, "", why);
                    return Bound.YES;
                }
                case BindingOutcome.AlreadyBound _, BindingOutcome.Gone _ -> {
                    world.rooms().takeBack(ticket.uid());
                    queue.remove(ticket.uid());
                    post.news().notWanted(pod);
                    return Bound.NO;
                }
                case BindingOutcome.Refused(var reason) -> {
                    lost(ticket, pod, post, reason);
                    return Bound.NO;
                }
            }
        } catch (KubernetesClientException problem) {
            lost(ticket, pod, post, Failure.words(problem));
            return Bound.PERHAPS;
        }
    }

    /** Runs this beside the next decisions. */
    private void start(PodQueue.Ticket ticket, Pod pod, Runnable task) throws InterruptedException {
        underway.acquire();
        Thread.ofVirtual().name("bind-" + pod.getMetadata().getName()).start(() -> {
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

    /** Finishes the bindings that are under way, and stops. */
    @Override
    public void close() {
        stopped = true;
        queue.close();
        try {
            thread.join(DRAIN);
            if (!underway.tryAcquire(BINDINGS_AT_ONCE, DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("some pods were still being bound: what is not bound is placed by the next one");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        posts.values().forEach(post -> {
            post.news().close();
            post.profile().extender().ifPresent(HttpExtender::close);
        });
        guests.close();
        world.close();
    }
}
