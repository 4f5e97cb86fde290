package dev.berth.kube.cache;

import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All pods of the cluster, found by name, by uid and by node. */
public final class Pods implements AutoCloseable {
    private static final String BY_NODE = "node";
    private static final String BY_UID = "uid";

    private final Cache<Pod> cache;

    public Pods(Cluster cluster) {
        this(cluster, Map.of());
    }

    /**
     * Pods that can be found by more than that, with {@link #by}; those that have a node are kept {@link SlimPods
     * slim}.
     */
    public Pods(Cluster cluster, Map<String, Function<Pod, List<String>>> more) {
        this(cluster, more, new SlimPods());
    }

    /** Pods without what this takes away from each; their names, uids and nodes must stay. */
    public Pods(Cluster cluster, Map<String, Function<Pod, List<String>>> more, Consumer<Pod> slim) {
        var indexes = new HashMap<>(more);
        indexes.put(BY_NODE, pod -> present(pod.getSpec().getNodeName()));
        indexes.put(BY_UID, pod -> present(pod.getMetadata().getUid()));
        this.cache = Cache.of(cluster, Listing.of(Pod.class), indexes, slim);
    }

    /** The node that the pod is on, or is to run on. */
    public static Optional<NodeName> nodeOf(Pod pod) {
        return present(pod.getSpec().getNodeName()).stream().findFirst().map(NodeName::new);
    }

    private static List<String> present(@Nullable String value) {
        return value == null || value.isEmpty() ? List.of() : List.of(value);
    }

    public void start() {
        cache.start();
    }

    public boolean synced() {
        return cache.synced();
    }

    public boolean awaitSynced(Duration within) {
        return cache.awaitSynced(within);
    }

    public boolean following(Duration moment) {
        return cache.following(moment);
    }

    public Optional<Pod> find(String namespace, String name) {
        return cache.find(namespace, name);
    }

    public Optional<Pod> byUid(String uid) {
        return cache.by(BY_UID, uid).stream().findFirst();
    }

    public List<Pod> by(String index, String value) {
        return cache.by(index, value);
    }

    public List<Pod> on(NodeName node) {
        return cache.by(BY_NODE, node.value());
    }

    public List<Pod> all() {
        return cache.all();
    }

    public void onChange(Consumer<Change<Pod>> listener) {
        cache.onChange(listener);
    }

    @Override
    public void close() {
        cache.close();
    }
}
