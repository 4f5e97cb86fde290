package dev.berth.kube.scheduler;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the scheduler knows of the cluster, kept by watches. */
final class World implements AutoCloseable {
    final Cache<Node> nodes;
    final Pods pods;
    final NodeRooms rooms = new NodeRooms();
    private final Cache<Namespace> namespaces;

    World(Cluster cluster) {
        this.nodes = Cache.of(cluster.client().nodes());
        this.namespaces = Cache.of(cluster.client().namespaces());
        this.pods = new Pods(cluster);
        nodes.onChange(rooms::heardNode);
        pods.onChange(rooms::heardPod);
    }

    void start() {
        nodes.start();
        namespaces.start();
        pods.start();
    }

    boolean synced() {
        return nodes.synced() && namespaces.synced() && pods.synced();
    }

    Map<String, String> namespaceLabels(String namespace) {
        return Optional.of(namespace)
                .flatMap(name -> namespaces.find("", name))
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
