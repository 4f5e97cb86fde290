package dev.berth.kube.schedule;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.cache.SlimNodes;
import dev.berth.kube.fit.NodeRooms;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What every scheduler knows of the cluster, kept by watches: its nodes, their room, its pods, its namespaces. */
public final class World implements AutoCloseable {
    private final Cache<Node> nodes;
    private final Cache<Namespace> namespaces;
    private final Pods pods;
    private final NodeRooms rooms = new NodeRooms();

    public World(Cluster cluster) {
        this.nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(), new SlimNodes());
        this.namespaces = Cache.of(cluster, Listing.of(Namespace.class));
        this.pods = new Pods(cluster);
        nodes.onChange(rooms::heardNode);
        pods.onChange(rooms::heardPod);
    }

    /** Begins to look; returns at once. */
    public void start() {
        nodes.start();
        namespaces.start();
        pods.start();
    }

    public boolean synced() {
        return nodes.synced() && namespaces.synced() && pods.synced();
    }

    /** What has not been read yet. */
    public List<String> unknown() {
        var unknown = new ArrayList<String>();
        if (!nodes.synced()) {
            unknown.add("nodes");
        }
        if (!namespaces.synced()) {
            unknown.add("namespaces");
        }
        if (!pods.synced()) {
            unknown.add("pods");
        }
        return unknown;
    }

    /** Waits until all of it is known; false if that takes longer. */
    public boolean awaitSynced(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        return nodes.awaitSynced(within) && namespaces.awaitSynced(left(deadline)) && pods.awaitSynced(left(deadline));
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    public Cache<Node> nodes() {
        return nodes;
    }

    public Pods pods() {
        return pods;
    }

    public NodeRooms rooms() {
        return rooms;
    }

    /** None for one that is not known. */
    public Map<String, String> namespaceLabels(String namespace) {
        return namespaces
                .find("", namespace)
                .map(found -> Objects.requireNonNullElse(found.getMetadata().getLabels(), Map.<String, String>of()))
                .orElse(Map.of());
    }

    @Override
    public void close() {
        pods.close();
        namespaces.close();
        nodes.close();
    }
}
