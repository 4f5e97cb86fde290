package dev.berth.kube.cache;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.kube.Cluster;
import dev.berth.kube.courier.Flow;
import dev.berth.kube.proto.MalformedMessageException;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Lists the objects of one kind by pages, then follows what happens to them by a watch, for ever: a watch that ends is
 * opened again where it ended, and where the server has forgotten that, everything is listed again. On a thread of its
 * own, since reading takes processor time.
 *
 * @param <T> the kind
 */
final class Follower<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final int EXPIRED = 410;
    /** Servers mark every minute how far they are: one that says nothing for two is not there any more. */
    private static final Duration SILENCE = Duration.ofSeconds(150);
    /** By chance up to twice as long, so that not all watches of all replicas end at once. */
    private static final long SHORTEST_WATCH_SECONDS = 300;
    /** A watch that lasted so long was a good one; others may come and go without an end. */
    private static final Duration GOOD = Duration.ofSeconds(1);
    /** The wait grows no more after this: a second, since whoever waits for the API server decides nothing. */
    private static final int SLOWEST = 7;

    private static final int PATIENT_WITH_TROUBLES = 3;
    /** A kind that has just been defined is "(re)initializing" for a second or two. */
    private static final int PATIENT_WITH_THE_BUSY = 4;

    /** Hears what is there; on the follower's thread. */
    interface Audience<T> {
        /** All objects will be told of now. */
        void listing();

        void listed(T object);

        /** These were all: what was not told of is gone. */
        void listedAll();

        void there(T object);

        void gone(T object);
    }

    private final Cluster cluster;
    private final Listing<T> listing;
    private final Audience<T> audience;
    private final Encodings<T> encodings;
    private final RandomGenerator random;
    private final Thread thread;
    private String version = "";
    private int failures;
    private volatile @Nullable Flow open;
    /** When the last watch ended, or when we began; nothing while one is open. */
    private volatile @Nullable Long silentSince = System.nanoTime();

    private volatile boolean closed;

    Follower(Cluster cluster, Listing<T> listing, Audience<T> audience, RandomGenerator random) {
        this.cluster = cluster;
        this.random = random;
        this.listing = listing;
        this.audience = audience;
        this.encodings = new Encodings<>(cluster.watched(), listing.type());
        this.thread =
                Thread.ofPlatform().daemon().name("cache-" + listing.plural()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Whether a watch is open, or was until a moment ago: every watch ends, and another one begins. */
    boolean following(Duration moment) {
        var since = silentSince;
        return since == null || System.nanoTime() - since <= moment.toNanos();
    }

    private void run() {
        while (!closed) {
            try {
                if (version.isEmpty()) {
                    list();
                }
                watch();
            } catch (IOException | RuntimeException problem) {
                failed(problem);
            }
            if (failures > 0 && !closed && !cluster.retry().pause(Math.min(failures, SLOWEST))) {
                return;
            }
        }
    }

    private void list() throws IOException {
        audience.listing();
        var token = "";
        do {
            try (var flow = hold(cluster.courier().read(listing.page(Pages.SIZE, token), encodings.accept()))) {
                var end = encodings.of(flow).page(flow.body(), audience::listed);
                token = end.token().orElse("");
                version = token.isEmpty() ? end.version() : "";
            } finally {
                open = null;
            }
        } while (!token.isEmpty());
        audience.listedAll();
    }

    /** Until it ends, as every watch does. */
    private void watch() throws IOException {
        long begin = System.nanoTime();
        long seconds = random.nextLong(SHORTEST_WATCH_SECONDS, 2 * SHORTEST_WATCH_SECONDS);
        var path = listing.watch(version, seconds);
        try (var flow = hold(cluster.courier().watch(path, encodings.accept(), SILENCE))) {
            silentSince = null;
            var events = encodings.of(flow).events(flow.body());
            while (!closed && !version.isEmpty() && events.next()) {
                read(events);
            }
            failures++;
        } finally {
            open = null;
            long end = System.nanoTime();
            if (silentSince == null) {
                silentSince = end;
            }
            if (end - begin > GOOD.toNanos()) {
                failures = 0;
            }
        }
    }

    private void read(Encoding.Events<T> events) throws IOException {
        try {
            events.event().ifPresent(this::heard);
        } catch (JsonProcessingException | MalformedMessageException unreadable) {
            // It would come again, and nothing after it.
            LOG.error("event cannot be read and is passed over: kind={}", kind(), unreadable);
        }
    }

    private void heard(Event<T> event) {
        switch (event) {
            case Event.There<T>(var object) -> {
                audience.there(object);
                reach(Version.of(object));
            }
            case Event.Gone<T>(var object) -> {
                audience.gone(object);
                reach(Version.of(object));
            }
            // A server that has not come as far as we have begun anew: what we know of it is of another time.
            case Event.Bookmark<T>(var reached) -> version = Version.older(reached, version) ? "" : reached;
            case Event.Failed<T>(var status) -> throw new KubernetesClientException(status);
        }
    }

    /** What is told again does not take us back. */
    private void reach(String reached) {
        if (!Version.older(reached, version)) {
            version = reached;
        }
    }

    private void failed(Exception problem) {
        if (problem instanceof KubernetesClientException answer && forgets(answer)) {
            version = "";
        }
        failures++;
        LOG.atLevel(!closed && worthAWarning(failures, problem) ? Level.WARN : Level.DEBUG)
                .log("cache lost its connection and tries again: kind={} reason={}", kind(), words(problem));
    }

    /** The first time, and ever more rarely; a server that only asks for a moment's patience gets it. */
    static boolean worthAWarning(int failures, Exception problem) {
        boolean rare = Integer.bitCount(failures) == 1;
        if (!(problem instanceof KubernetesClientException answer)) {
            return rare;
        }
        boolean busy = Failure.of(answer) == Failure.TURNED_AWAY;
        return rare && answer.getCode() != EXPIRED && (!busy || failures >= PATIENT_WITH_THE_BUSY);
    }

    /** Whoever answers, but not with events, may know nothing of this version, which is then of no use. */
    private boolean forgets(KubernetesClientException problem) {
        return switch (Failure.of(problem)) {
            case ABSENT, CONFLICT, REFUSED -> true;
            // A server that has its troubles gets them over sooner if it need not list everything.
            case UNKNOWN -> problem.getCode() > 0 && failures >= PATIENT_WITH_TROUBLES;
            case TURNED_AWAY, UNREACHABLE -> false;
        };
    }

    private static String words(Exception problem) {
        return switch (problem) {
            case KubernetesClientException answer
            when answer.getCode() > 0 -> "%d, %s".formatted(answer.getCode(), Failure.words(answer));
            case KubernetesClientException answer -> Failure.words(answer);
            default -> problem.toString();
        };
    }

    private String kind() {
        return listing.type() == GenericKubernetesResource.class
                ? listing.plural()
                : listing.type().getSimpleName();
    }

    private Flow hold(Flow flow) {
        open = flow;
        if (closed) {
            flow.close();
        }
        return flow;
    }

    @Override
    public void close() {
        closed = true;
        var flow = open;
        if (flow != null) {
            flow.close();
        }
        thread.interrupt();
    }
}
