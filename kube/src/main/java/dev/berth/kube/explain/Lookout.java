package dev.berth.kube.explain;

import dev.berth.core.Ledger;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.SharedNodeLedgers;
import dev.berth.kube.schedule.World;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Sees the whole cluster through caches: nodes, pods, ledgers, and what each door's advocate watches beside. */
public final class Lookout implements AutoCloseable {
    private final Cluster cluster;
    private final World world;
    private final NodeLedgers ledgers;
    private final List<Advocate> advocates;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private Lookout(Cluster cluster, List<Function<Lookout, Advocate>> doors) {
        this.cluster = cluster;
        this.world = new World(cluster);
        world.nodes().onChange(_ -> changed());
        world.pods().onChange(_ -> changed());
        this.ledgers = NodeLedgers.served(cluster, _ -> OptionalInt.empty());
        ledgers.onChange((_, _, _) -> changed());
        this.advocates = doors.stream().map(door -> door.apply(this)).toList();
    }

    /** Begins to look; returns at once. */
    public static Lookout start(Cluster cluster, List<Function<Lookout, Advocate>> doors) {
        var lookout = new Lookout(cluster, doors);
        lookout.world.start();
        lookout.advocates.forEach(Advocate::start);
        return lookout;
    }

    public boolean synced() {
        return unknown().isEmpty();
    }

    /** What has not been read yet: what the API server is slow to tell, or the reader may not read. */
    public List<String> unknown() {
        var unknown = new ArrayList<>(world.unknown());
        if (!ledgers.synced()) {
            unknown.add("node ledgers");
        }
        advocates.stream()
                .filter(advocate -> !advocate.synced())
                .forEach(advocate -> unknown.add(
                        "what the %s reads".formatted(advocate.door().label())));
        return unknown;
    }

    /** Waits until all is known; false if that takes longer. */
    public boolean awaitSynced(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        boolean filled = world.awaitSynced(within);
        for (int looks = 1; filled && !synced(); looks++) {
            filled = System.nanoTime() < deadline && cluster.retry().pause(Math.min(looks, 2));
        }
        return filled;
    }

    /** Calls this whenever something may look different, on a thread of a cache: it must not wait for anything. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** For advocates: something that only they watch has changed. */
    public void changed() {
        listeners.forEach(Runnable::run);
    }

    public Cluster cluster() {
        return cluster;
    }

    public Cache<Node> nodes() {
        return world.nodes();
    }

    public Pods pods() {
        return world.pods();
    }

    public NodeRooms rooms() {
        return world.rooms();
    }

    public List<Advocate> advocates() {
        return advocates;
    }

    /** Whether the doors of this cluster share their ledgers. */
    public boolean sharedLedgers() {
        return ledgers instanceof SharedNodeLedgers;
    }

    /** What the ledgers in the API server say. */
    public Ledger written() {
        return ledgers.ledger();
    }

    /** Who holds what, now. */
    public Picture picture() {
        return Picture.of(this);
    }

    public Map<String, String> namespaceLabels(String namespace) {
        return world.namespaceLabels(namespace);
    }

    @Override
    public void close() {
        advocates.forEach(Advocate::close);
        ledgers.close();
        world.close();
    }
}
