package dev.berth.kube.event;

import dev.berth.kube.Cluster;
import dev.berth.kube.Metadata;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events on objects. Telling never waits: events go out a few at a time, and what finds no room among those
 * that wait is dropped and counted. Equal happenings become one event with a count.
 */
public final class Events implements AutoCloseable {
    /** How often a count is written at most, how many new events an object may cause at once, and how often after. */
    public record Limits(Duration seriesInterval, int burst, Duration refill) {
        public static final Limits STANDARD = new Limits(Duration.ofSeconds(10), 10, Duration.ofSeconds(30));
    }

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int MOST_WAITING = 10_000;
    /** As many as kube-scheduler's client sends unless told otherwise: decisions need the API server more. */
    private static final int AT_ONCE = 100;

    private static final Duration EACH = Duration.ofMillis(20);
    private static final int MOST_SERIES = 4096;
    private static final int LONGEST_NAME = 253;
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final String controller;
    private final String instance;
    private final InstantSource clock;
    private final Limits limits;
    private final Budget budget;
    private final Budget pace = new Budget(AT_ONCE, EACH);
    /** Nothing in place of a happening: look up, we are closing. */
    private final BlockingQueue<Optional<Happening>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

    private final Map<Happening, Series> series = new LinkedHashMap<>(16, 0.75f, true);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private long named;

    private Events(Cluster cluster, String controller, String instance, InstantSource clock, Limits limits) {
        this.cluster = cluster;
        this.controller = controller;
        this.instance = instance;
        this.clock = clock;
        this.limits = limits;
        this.budget = new Budget(limits.burst(), limits.refill());
        this.thread = Thread.ofVirtual().name("events-" + controller).unstarted(this::work);
    }

    /** Events from this controller ({@code berth.dev/pinner}), told by this instance of it (the pod's name). */
    public static Events start(
            Cluster cluster, String controller, String instance, InstantSource clock, Limits limits) {
        var events = new Events(cluster, controller, instance, clock, limits);
        events.thread.start();
        return events;
    }

    /** Tells what happened; returns at once. */
    public void tell(Happening happening) {
        if (closing || !waiting.offer(Optional.of(happening))) {
            dropped.incrementAndGet();
        }
    }

    /** How many happenings found no room or exceeded an object's budget. */
    public long dropped() {
        return dropped.get();
    }

    private void work() {
        var nextSweep = clock.instant();
        try {
            while (!closing || !waiting.isEmpty()) {
                var happening = waiting.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
                if (happening != null && happening.isPresent()) {
                    recordOrDrop(happening.get());
                }
                if (!clock.instant().isBefore(nextSweep)) {
                    writeCounts(false);
                    nextSweep = clock.instant().plus(TICK);
                }
            }
            writeCounts(true);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever is wrong with one, such as a namespace that no path can hold, those after it are told. */
    private void recordOrDrop(Happening happening) throws InterruptedException {
        try {
            record(happening);
        } catch (RuntimeException problem) {
            dropped.incrementAndGet();
            LOG.error("event cannot be told: happening={}", happening, problem);
        }
    }

    private void record(Happening happening) throws InterruptedException {
        var now = clock.instant();
        var known = series.get(happening);
        if (known != null) {
            known.again(now);
            return;
        }
        var regarding = happening.regarding();
        if (!budget.spend(regarding.getKind() + "/" + regarding.getNamespace() + "/" + regarding.getName(), now)) {
            dropped.incrementAndGet();
            return;
        }
        awaitTurn();
        create(happening, now);
    }

    /** After a burst, one event after the other, slowly; what is left when we close goes out at once. */
    private void awaitTurn() throws InterruptedException {
        while (!closing && !pace.spend("", clock.instant())) {
            TimeUnit.NANOSECONDS.sleep(EACH.toNanos());
        }
    }

    private void create(Happening happening, Instant now) {
        var regarding = happening.regarding();
        // Events of cluster-scoped objects live in the default namespace, as Kubernetes has it.
        var namespace = Objects.requireNonNullElse(regarding.getNamespace(), "default");
        var suffix = ".%x%x".formatted(now.toEpochMilli(), named++ & 0xffff);
        var base = regarding.getName();
        var name = base.substring(0, Math.min(base.length(), LONGEST_NAME - suffix.length())) + suffix;
        var metadata = Metadata.named(name);
        metadata.setNamespace(namespace);
        var event = event(happening, now);
        event.setMetadata(metadata);
        try {
            cluster.retry().run(Repeat.IF_UNKNOWN, PATIENCE, () -> createOnce(namespace, event));
            series.put(happening, new Series(namespace, name, now));
            if (series.size() > MOST_SERIES) {
                series.remove(series.keySet().iterator().next());
            }
        } catch (KubernetesClientException problem) {
            dropped.incrementAndGet();
            LOG.warn(
                    "event could not be recorded: object={}/{} reason={} problem={}",
                    namespace,
                    base,
                    happening.reason(),
                    Failure.words(problem));
        }
    }

    private Event event(Happening happening, Instant now) {
        var event = new Event();
        event.setEventTime(new MicroTime(MICROS.format(now)));
        event.setReportingController(controller);
        event.setReportingInstance(instance);
        event.setRegarding(happening.regarding());
        event.setType(happening.type().label());
        event.setReason(happening.reason());
        event.setAction(happening.action());
        event.setNote(happening.note());
        return event;
    }

    private void createOnce(String namespace, Event event) {
        try {
            cluster.courier().tell("POST", path(namespace), event);
        } catch (KubernetesClientException problem) {
            // The name is ours alone, so a conflict is our own earlier attempt whose answer was lost.
            if (Failure.of(problem) != Failure.CONFLICT) {
                throw problem;
            }
        }
    }

    private static String path(String namespace) {
        return "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
    }

    private void writeCounts(boolean all) {
        var now = clock.instant();
        for (var entry : new ArrayList<>(series.entrySet())) {
            var each = entry.getValue();
            if (each.due(now, limits.seriesInterval()) || (all && each.pending())) {
                writeCount(entry.getKey(), each, now);
            }
        }
    }

    private void writeCount(Happening happening, Series each, Instant now) {
        var counted = Map.of("count", each.count(), "lastObservedTime", MICROS.format(each.last()));
        try {
            cluster.courier()
                    .patch(path(each.namespace()) + "/" + each.name(), Courier.MERGE_PATCH, Map.of("series", counted));
            each.wrote(now);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) == Failure.ABSENT) {
                // The server forgets events after an hour; the next one starts a new series.
                series.remove(happening);
            } else {
                each.wrote(now);
                LOG.debug("event's count could not be written: event={} problem={}", each.name(), problem.toString());
            }
        }
    }

    /** Writes what waits, for a few seconds at most. */
    @Override
    public void close() {
        closing = true;
        waiting.offer(Optional.empty());
        try {
            if (!thread.join(CLOSE_PATIENCE)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
