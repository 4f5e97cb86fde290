package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private static final long PAGE = 500;

    private final SharedIndexInformer<T> informer;
    private final CountDownLatch filled = new CountDownLatch(1);
    private final List<Consumer<Change<T>>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private Cache(Informable<T> source, Map<String, Function<T, List<String>>> indexes, Consumer<T> slim) {
        this.informer = source.withLimit(PAGE).runnableInformer(0);
        informer.addIndexers(indexes);
        informer.itemStore(new SlimStore<>(slim));
        // Any failure is tried again, the first listing included: a cache that gave up would look like an empty
        // cluster.
        informer.exceptionHandler((started, problem) -> {
            if (closed) {
                return false;
            }
            LOG.warn("cache lost its connection and tries again: kind={} reason={}", kind(), problem.toString());
            return true;
        });
        informer.addEventHandler(new Listening());
    }

    /** The objects of this source; call {@link #start()} once the listeners are in place. */
    public static <T extends HasMetadata> Cache<T> of(Informable<T> source) {
        return of(source, Map.of());
    }

    /** The same, to be looked up by more than the name. */
    public static <T extends HasMetadata> Cache<T> of(
            Informable<T> source, Map<String, Function<T, List<String>>> indexes) {
        return of(source, indexes, whole -> {});
    }

    /** The same, without what this takes away from each object: in a large cluster that is most of the memory. */
    public static <T extends HasMetadata> Cache<T> of(
            Informable<T> source, Map<String, Function<T, List<String>>> indexes, Consumer<T> slim) {
        return new Cache<>(source, indexes, slim);
    }

    /** Begins to fill; returns at once. */
    public void start() {
        var _ = informer.start().whenComplete((nothing, problem) -> {
            if (problem != null && !closed) {
                LOG.error("cache stopped before it was filled: kind={}", kind(), problem);
            }
        });
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

    /** Whether a watch is open at the moment. */
    public boolean watching() {
        return informer.isWatching();
    }

    public Optional<T> find(String namespace, String name) {
        return Optional.ofNullable(informer.getStore().getByKey(namespace.isEmpty() ? name : namespace + "/" + name));
    }

    public List<T> all() {
        return List.copyOf(informer.getStore().list());
    }

    public List<T> by(String index, String value) {
        return List.copyOf(informer.getIndexer().byIndex(index, value));
    }

    /** Calls this for every change, in order, on a thread of the cache: it must not wait for anything. */
    public void onChange(Consumer<Change<T>> listener) {
        listeners.add(listener);
    }

    private String kind() {
        return informer.getApiTypeClass().getSimpleName();
    }

    @Override
    public void close() {
        closed = true;
        informer.close();
    }

    private final class Listening implements ResourceEventHandler<T> {
        /** Comes after the listing's objects; the informer itself calls it a start before its listeners heard them. */
        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            filled.countDown();
        }

        @Override
        public void onAdd(T object) {
            tell(new Change.Added<>(object));
        }

        @Override
        public void onUpdate(T before, T object) {
            tell(new Change.Updated<>(before, object));
        }

        @Override
        public void onDelete(T object, boolean lastStateUnknown) {
            tell(new Change.Removed<>(object));
        }

        private void tell(Change<T> change) {
            for (var listener : listeners) {
                try {
                    listener.accept(change);
                } catch (RuntimeException problem) {
                    LOG.error("listener failed: kind={} change={}", kind(), change.getClass(), problem);
                }
            }
        }
    }
}
