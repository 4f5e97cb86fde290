package dev.berth.kube.cache;

import dev.berth.kube.Cluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local, read-only copy of all objects of one kind. It is filled by pages, kept by a watch, and filled again when the
 * watch fell too far behind; while the API server is away it keeps what it had.
 *
 * @param <T> the kind
 */
public final class Cache<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cache.class);

    private final IndexedObjects<T> objects;
    private final Consumer<T> slim;
    private final Follower<T> follower;
    private final CountDownLatch filled = new CountDownLatch(1);
    private final List<Consumer<Change<T>>> listeners = new CopyOnWriteArrayList<>();

    private Cache(
            Cluster cluster, Listing<T> listing, Map<String, Function<T, List<String>>> indexes, Consumer<T> slim) {
        this.objects = new IndexedObjects<>(indexes);
        this.slim = slim;
        this.follower = new Follower<>(cluster, listing, new Listening(), RandomGenerator.getDefault());
    }

    /** These objects; call {@link #start()} once the listeners are in place. */
    public static <T extends HasMetadata> Cache<T> of(Cluster cluster, Listing<T> listing) {
        return of(cluster, listing, Map.of());
    }

    /** The same, to be looked up by more than the name. */
    public static <T extends HasMetadata> Cache<T> of(
            Cluster cluster, Listing<T> listing, Map<String, Function<T, List<String>>> indexes) {
        return of(cluster, listing, indexes, whole -> {});
    }

    /** The same, without what this takes away from each object: in a large cluster that is most of the memory. */
    public static <T extends HasMetadata> Cache<T> of(
            Cluster cluster, Listing<T> listing, Map<String, Function<T, List<String>>> indexes, Consumer<T> slim) {
        return new Cache<>(cluster, listing, indexes, slim);
    }

    /** Begins to fill; returns at once. */
    public void start() {
        follower.start();
    }

    /**
     * Whether the cache was filled completely once and its listeners have heard of all that is in it; from then on it
     * is late at most, never partial.
     */
    public boolean synced() {
        return filled.getCount() == 0;
    }

    /** Waits until it is filled; false if that takes longer. */
    public boolean awaitSynced(Duration within) {
        try {
            return filled.await(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether it hears of changes, or did until this long ago. */
    public boolean following(Duration moment) {
        return follower.following(moment);
    }

    public Optional<T> find(String namespace, String name) {
        return objects.find(IndexedObjects.key(namespace, name));
    }

    public List<T> all() {
        return objects.all();
    }

    public List<T> by(String index, String value) {
        return objects.by(index, value);
    }

    /** Calls this for every change, in order, on a thread of the cache: it must not wait for anything. */
    public void onChange(Consumer<Change<T>> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        follower.close();
    }

    private void tell(Change<T> change) {
        for (var listener : listeners) {
            try {
                listener.accept(change);
            } catch (RuntimeException problem) {
                LOG.error(
                        "listener failed: change={} key={}",
                        change.getClass(),
                        IndexedObjects.key(change.newest()),
                        problem);
            }
        }
    }

    private final class Listening implements Follower.Audience<T> {
        private final Set<String> missing = new HashSet<>();

        @Override
        public void listing() {
            missing.clear();
            missing.addAll(objects.keys());
        }

        @Override
        public void listed(T object) {
            var key = IndexedObjects.key(object);
            missing.remove(key);
            if (objects.find(key).filter(known -> same(known, object)).isEmpty()) {
                put(object);
            }
        }

        /** Only now have listeners heard of everything. */
        @Override
        public void listedAll() {
            for (var key : missing) {
                objects.remove(key).ifPresent(object -> tell(new Change.Removed<>(object)));
            }
            missing.clear();
            filled.countDown();
        }

        @Override
        public void there(T object) {
            var known = objects.find(IndexedObjects.key(object));
            if (known.isEmpty() || !(same(known.get(), object) || stale(object, known.get()))) {
                put(object);
            }
        }

        @Override
        public void gone(T object) {
            var key = IndexedObjects.key(object);
            var known = objects.find(key);
            if (known.isPresent() && !stale(object, known.get())) {
                objects.remove(key);
                tell(new Change.Removed<>(object));
            }
        }

        private boolean same(T known, T object) {
            return Version.of(known).equals(Version.of(object))
                    && known.getMetadata().getUid().equals(object.getMetadata().getUid());
        }

        /** Something between us and the server may say again what it has said before. */
        private boolean stale(T object, T known) {
            return Version.older(Version.of(object), Version.of(known));
        }

        private void put(T object) {
            slim.accept(object);
            tell(objects.put(object)
                    .<Change<T>>map(before -> new Change.Updated<>(before, object))
                    .orElseGet(() -> new Change.Added<>(object)));
        }
    }
}
