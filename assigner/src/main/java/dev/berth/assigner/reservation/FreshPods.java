package dev.berth.assigner.reservation;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.SharedRead;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The pods of a namespace as the API server itself shows them: nothing is taken from anybody on less. */
final class FreshPods {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAGE = 500;
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
        var pods = new ArrayList<Pod>();
        var next = "";
        do {
            var options = new ListOptionsBuilder().withLimit(PAGE);
            if (!next.isEmpty()) {
                options.withContinue(next);
            }
            var page = cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
                var all = cluster.client().pods();
                return namespace.isEmpty()
                        ? all.inAnyNamespace().list(options.build())
                        : all.inNamespace(namespace).list(options.build());
            });
            pods.addAll(page.getItems());
            next = Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
        } while (!next.isEmpty());
        return pods;
    }
}
