package dev.berth.claims.scheduler;

import dev.berth.claims.demand.Lookup;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All that the scheduler knows of the cluster, kept by watches. */
final class World implements AutoCloseable {
    private final Cluster cluster;
    private final Cache<Node> nodes;
    private final Cache<Namespace> namespaces;
    private final Pods pods;
    private final NodeRooms rooms = new NodeRooms();
    private final ClaimBook book;
    private final Catalogue catalogue;

    World(Cluster cluster) {
        this.cluster = cluster;
        this.nodes = Cache.of(cluster.client().nodes());
        this.namespaces = Cache.of(cluster.client().namespaces());
        this.pods = new Pods(cluster);
        this.book = new ClaimBook(cluster);
        this.catalogue = new Catalogue(cluster);
        nodes.onChange(rooms::heardNode);
        nodes.onChange(catalogue::heardNode);
        pods.onChange(rooms::heardPod);
    }

    void start() {
        caches().forEach(Cache::start);
        pods.start();
    }

    boolean synced() {
        return pods.synced() && caches().stream().allMatch(Cache::synced);
    }

    /** Waits until all of it is known; false if that takes longer. */
    boolean awaitSynced(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        boolean all = pods.awaitSynced(within);
        for (var cache : caches()) {
            all &= cache.awaitSynced(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        return all;
    }

    private List<Cache<?>> caches() {
        var all = new java.util.ArrayList<Cache<?>>(List.of(nodes, namespaces));
        all.addAll(book.caches());
        all.addAll(catalogue.caches());
        return all;
    }

    Cluster cluster() {
        return cluster;
    }

    Cache<Node> nodes() {
        return nodes;
    }

    Pods pods() {
        return pods;
    }

    NodeRooms rooms() {
        return rooms;
    }

    ClaimBook book() {
        return book;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    Lookup lookup() {
        return new ServerLookup(cluster, book, catalogue);
    }

    Map<String, String> namespaceLabels(String namespace) {
        return namespaces
                .find("", namespace)
                .map(found -> Objects.requireNonNullElse(found.getMetadata().getLabels(), Map.<String, String>of()))
                .orElse(Map.of());
    }

    @Override
    public void close() {
        caches().forEach(Cache::close);
        pods.close();
    }
}
