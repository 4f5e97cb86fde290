package dev.berth.assigner.reservation;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pages;
import dev.berth.kube.cache.SharedRead;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The pods of a namespace as the API server itself shows them: nothing is taken from anybody on less. */
final class FreshPods {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String EVERYWHERE = "";

    private final Cluster cluster;
    private final Map<String, SharedRead<List<Pod>>> reads = new ConcurrentHashMap<>();

    FreshPods(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The pods of this namespace, or of all where a reservation no longer says its own; throws when nobody knows. */
    List<Pod> of(Optional<String> namespace) {
        return reads.computeIfAbsent(namespace.orElse(EVERYWHERE), name -> new SharedRead<>(() -> list(name)))
                .get(PATIENCE.multipliedBy(2));
    }

    private List<Pod> list(String namespace) {
        var everywhere = Listing.of(Pod.class);
        return Pages.read(cluster, namespace.isEmpty() ? everywhere : everywhere.in(namespace), PATIENCE);
    }
}
