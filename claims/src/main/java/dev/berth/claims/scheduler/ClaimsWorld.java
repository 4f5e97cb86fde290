package dev.berth.claims.scheduler;

import dev.berth.claims.api.Group;
import dev.berth.claims.demand.Lookup;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.pod.PodPath;
import dev.berth.kube.retry.Repeat;
import dev.berth.kube.schedule.World;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that the scheduler knows of the cluster, kept by watches. */
final class ClaimsWorld implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final World world;
    private final ClaimBook book;
    private final Catalogue catalogue;
    private final ResourceBook resourceBook;
    private final SliceCatalogue slices;
    private final PooledCards cards;
    private final boolean prototype;
    private final boolean resources;

    ClaimsWorld(Cluster cluster) {
        this.cluster = cluster;
        this.world = new World(cluster);
        this.book = new ClaimBook(cluster);
        this.resourceBook = new ResourceBook(cluster);
        this.resources = cluster.serves("resource.k8s.io/v1", "resourceclaims", PATIENCE);
        this.slices = new SliceCatalogue(
                cluster,
                world.rooms()::all,
                resources ? SliceCatalogue.servedRules(cluster, PATIENCE) : Optional.empty());
        this.catalogue = new Catalogue(cluster, slices);
        // Without either there is nothing to do until the prototype's kinds are installed.
        this.prototype = !resources || cluster.serves(Group.API_VERSION, Kind.CLAIM.plural(), PATIENCE);
        world.nodes().onChange(catalogue::heardNode);
        world.nodes().onChange(slices::heardNode);
        this.cards = new PooledCards(catalogue, world.nodes(), world.pods());
    }

    void start() {
        world.start();
        caches().forEach(Cache::start);
    }

    boolean synced() {
        return world.synced() && caches().stream().allMatch(Cache::synced);
    }

    /** Waits until all of it is known; false if that takes longer. */
    boolean awaitSynced(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        boolean all = world.awaitSynced(within);
        for (var cache : caches()) {
            all &= cache.awaitSynced(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        return all;
    }

    private List<Cache<?>> caches() {
        var all = new ArrayList<Cache<?>>();
        if (prototype) {
            all.addAll(book.caches());
            all.addAll(catalogue.caches());
        }
        if (resources) {
            all.addAll(resourceBook.caches());
            all.addAll(slices.caches());
        }
        return all;
    }

    Cluster cluster() {
        return cluster;
    }

    Cache<Node> nodes() {
        return world.nodes();
    }

    Pods pods() {
        return world.pods();
    }

    /** A pod as the server has it, whatever the watches told. */
    Optional<Pod> podNow(String namespace, String name) {
        var path = PodPath.of(namespace, name);
        return cluster.retry()
                .call(Repeat.IF_UNKNOWN, PATIENCE, () -> cluster.courier().get(path, Pod.class));
    }

    NodeRooms rooms() {
        return world.rooms();
    }

    ClaimBook book() {
        return book;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    ResourceBook resourceBook() {
        return resourceBook;
    }

    SliceCatalogue slices() {
        return slices;
    }

    PooledCards cards() {
        return cards;
    }

    Lookup lookup() {
        return new ServerLookup(cluster, book, catalogue);
    }

    Map<String, String> namespaceLabels(String namespace) {
        return world.namespaceLabels(namespace);
    }

    @Override
    public void close() {
        caches().forEach(Cache::close);
        world.close();
    }
}
