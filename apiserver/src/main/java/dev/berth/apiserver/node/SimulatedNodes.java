package dev.berth.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that run nothing but say they do: what is bound to one is Running at once, ends after the time it names, and
 * goes when it is deleted. All of them together are one watch and one timer.
 */
public final class SimulatedNodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SimulatedNodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final int MOST_TRIES = 8;
    private static final int MOST_AT_ONCE = 16;
    /** Four minutes in all: a webhook on a pod's status may be away for a while. */
    private static final int MOST_ATTEMPTS = 10;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Api api;
    private final InstantSource clock;
    private final String version;
    private final DeviceDrivers drivers;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final AtomicInteger addresses = new AtomicInteger();
    private final Map<String, Progress> pods = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(MOST_AT_ONCE);
    private final Api.Subscription watch;
    private final ScheduledFuture<?> beat;

    /** How far a pod has come, by uid. */
    private enum Progress {
        STARTED,
        STOPPING
    }

    /** All that has to be remembered of a pod while it runs. */
    private record Reference(String namespace, String name, String uid) {
        static Reference of(ObjectNode pod) {
            return new Reference(
                    pod.path("metadata").path("namespace").asText(), SimulatedNodes.name(pod), SimulatedNodes.uid(pod));
        }
    }

    /** @param version what the nodes' kubelets claim to be, such as {@code v1.36.3} */
    public SimulatedNodes(Api api, InstantSource clock, String version) {
        this.api = api;
        this.clock = clock;
        this.version = version;
        this.drivers = new DeviceDrivers(api);
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("simulated-nodes").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        adoptNodes();
        this.watch = api.watch(Resources.PODS, new Api.Listener() {
            @Override
            public void changed(ObjectNode pod) {
                see(pod);
            }

            @Override
            public void deleted(ObjectNode pod) {
                pods.remove(uid(pod));
            }
        });
        beat = timer.scheduleWithFixedDelay(
                this::heartbeat, HEARTBEAT.toMillis(), HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Nodes of a former run of a server that keeps its data go on as ours. */
    private void adoptNodes() {
        for (ObjectNode node : api.list(Resources.NODES, "", Map.of())) {
            JsonNode annotations = node.path("metadata").path("annotations");
            if (annotations.path(NodeObjects.SIMULATED).asText().equals("true")) {
                numbers.putIfAbsent(name(node), lastNumber.incrementAndGet());
            }
        }
    }

    /** Makes nodes {@code prefix-0} and so on; one that is there already is made ready again and kept. */
    public void add(String prefix, int count, NodeShape shape) {
        for (int i = 0; i < count; i++) add(prefix + "-" + i, shape);
    }

    public void add(String name, NodeShape shape) {
        int number = numbers.computeIfAbsent(name, _ -> lastNumber.incrementAndGet());
        Instant now = clock.instant();
        ObjectNode wanted = NodeObjects.node(name, number, shape, version, now);
        ObjectNode node = api.get(Resources.NODES, "", name).orElseGet(() -> api.create(Resources.NODES, "", wanted));
        if (!node.path("status").path("conditions").equals(wanted.path("status").path("conditions"))) {
            // Whoever creates a node with its status by hand finds it stored; a status update makes sure of it.
            node.set("status", wanted.path("status"));
            node = api.updateStatus(Resources.NODES, node);
        }
        renew(name, uid(node));
    }

    /** Runs the tasks of the nodes: starts, ends, confirmed deletions. */
    private void see(ObjectNode pod) {
        String node = pod.path("spec").path("nodeName").asText("");
        Integer number = node.isEmpty() ? null : numbers.get(node);
        if (number == null) return;
        String uid = uid(pod);
        Reference reference = Reference.of(pod);
        if (pod.path("metadata").hasNonNull("deletionTimestamp")) {
            if (pods.put(uid, Progress.STOPPING) == Progress.STOPPING) return;
            after(Annotations.stopTime(pod), () -> stop(reference));
            return;
        }
        String phase = pod.path("status").path("phase").asText("Pending");
        if (phase.equals("Succeeded") || phase.equals("Failed")) return;
        if (pods.putIfAbsent(uid, Progress.STARTED) != null) return;
        if (phase.equals("Running")) scheduleEnd(pod);
        else after(Duration.ZERO, () -> start(reference, number));
    }

    private void start(Reference pod, int number) {
        String address = NodeObjects.podAddress(number, addresses.getAndIncrement());
        writeStatus(pod, live -> {
                    boolean ends = live.path("metadata").hasNonNull("deletionTimestamp");
                    if (ends || live.path("status").path("phase").asText().equals("Running")) return false;
                    PodStatus.running(live, NodeObjects.hostAddress(number), address, clock.instant());
                    return true;
                })
                .ifPresent(running -> {
                    scheduleEnd(running);
                    // A task of its own: by the time that this one is tried again, the pod runs, and that is all.
                    after(Duration.ZERO, () -> drivers.configure(running, clock.instant()));
                });
    }

    private void scheduleEnd(ObjectNode pod) {
        Reference reference = Reference.of(pod);
        Annotations.runTime(pod).ifPresent(runTime -> {
            Instant started = instant(pod.path("status").path("startTime"));
            Duration elapsed = Duration.between(started, clock.instant());
            // Start times have whole seconds; a pod that just started has its whole time before it.
            Duration left = elapsed.compareTo(Duration.ofSeconds(1)) < 0 ? runTime : runTime.minus(elapsed);
            after(left, () -> end(reference));
        });
    }

    private void end(Reference pod) {
        writeStatus(pod, live -> {
            if (!live.path("status").path("phase").asText().equals("Running")) return false;
            PodStatus.finished(live, Annotations.fails(live), clock.instant());
            return true;
        });
    }

    /** What a kubelet does last: it says how the containers ended, then confirms the deletion. */
    private void stop(Reference pod) {
        writeStatus(pod, live -> {
            if (!live.path("status").path("phase").asText().equals("Running")) return false;
            PodStatus.finished(live, Annotations.fails(live), clock.instant());
            return true;
        });
        try {
            api.delete(
                    Resources.PODS,
                    pod.namespace(),
                    pod.name(),
                    Deletion.of(pod.uid()).now());
        } catch (ApiException gone) {
            if (gone.code() != 404 && gone.code() != 409) throw gone;
        }
    }

    private interface Change {
        boolean make(ObjectNode live);
    }

    private Optional<ObjectNode> writeStatus(Reference pod, Change change) {
        for (int tries = 1; ; tries++) {
            ObjectNode live =
                    api.get(Resources.PODS, pod.namespace(), pod.name()).orElse(null);
            if (live == null || !uid(live).equals(pod.uid()) || !change.make(live)) return Optional.empty();
            try {
                return Optional.of(api.updateStatus(Resources.PODS, live));
            } catch (ApiException refused) {
                if (refused.code() == 404) return Optional.empty();
                if (refused.code() != 409 || tries == MOST_TRIES) throw refused;
            }
        }
    }

    private void heartbeat() {
        for (String name : Set.copyOf(numbers.keySet())) {
            try {
                Optional<ObjectNode> node = api.get(Resources.NODES, "", name);
                if (node.isPresent()) renew(name, uid(node.get()));
                else numbers.remove(name);
            } catch (RuntimeException failed) {
                LOG.warn("node={} heartbeat=failed reason={}", name, failed.getMessage());
            }
        }
    }

    private void renew(String name, String uid) {
        Instant now = clock.instant();
        ObjectNode lease = api.get(Resources.LEASES, "kube-node-lease", name).orElse(null);
        if (lease == null) {
            api.create(Resources.LEASES, "kube-node-lease", NodeObjects.lease(name, uid, now));
            return;
        }
        lease.withObjectProperty("spec").put("renewTime", NodeObjects.micros(now));
        try {
            api.update(Resources.LEASES, lease);
        } catch (ApiException refused) {
            if (refused.code() != 409) throw refused;
        }
    }

    private void after(Duration delay, Runnable task) {
        after(delay, task, 1);
    }

    private void after(Duration delay, Runnable task, int attempt) {
        try {
            if (!delay.isPositive()) tasks.execute(() -> guarded(task, attempt));
            else later(delay, task, attempt);
        } catch (RejectedExecutionException _) {
            LOG.debug("simulated-nodes closing=true");
        }
    }

    private void later(Duration delay, Runnable task, int attempt) {
        ScheduledFuture<?> _ = timer.schedule(
                () -> tasks.execute(() -> guarded(task, attempt)), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A slow webhook on one pod's status must not hold up the others, nor may all come at once. */
    private void guarded(Runnable task, int attempt) {
        room.acquireUninterruptibly();
        try {
            task.run();
        } catch (RuntimeException failed) {
            again(task, attempt, failed);
        } finally {
            room.release();
        }
    }

    /** Each task looks at the live object first: one that is gone, or has come further by itself, is left alone. */
    private void again(Runnable task, int attempt, RuntimeException failed) {
        if (attempt == MOST_ATTEMPTS) {
            LOG.error("simulated-nodes task=given-up attempts={}", attempt, failed);
            return;
        }
        Duration grown = FIRST_PAUSE.multipliedBy(1L << (attempt - 1));
        Duration pause = grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
        LOG.warn("simulated-nodes task=failed attempt={} again-in={}", attempt, pause, failed);
        after(pause, task, attempt + 1);
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    private static Instant instant(JsonNode time) {
        return time.isTextual() ? Instant.parse(time.textValue()) : Instant.EPOCH;
    }

    @Override
    public void close() {
        watch.close();
        beat.cancel(false);
        timer.shutdownNow();
        tasks.shutdownNow();
    }
}
