package dev.berth.kube.cache;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the API server itself has of a kind, past every cache: by pages, since in a large cluster it is a lot. */
public final class Pages {
    static final int SIZE = 500;

    private Pages() {}

    /**
     * All of them, as of now.
     *
     * @param patience for each page
     */
    public static <T extends HasMetadata> List<T> read(Cluster cluster, Listing<T> listing, Duration patience) {
        var encodings = new Encodings<>(cluster.watched(), listing.type());
        var all = new ArrayList<T>();
        var token = "";
        do {
            var path = listing.page(SIZE, token);
            token = cluster.retry().call(Repeat.IF_UNKNOWN, patience, () -> page(cluster, encodings, path, all));
        } while (!token.isEmpty());
        return all;
    }

    /** Adds a page; what to ask for the next one with, nothing after the last. */
    private static <T extends HasMetadata> String page(
            Cluster cluster, Encodings<T> encodings, String path, List<T> all) {
        var items = new ArrayList<T>();
        try (var flow = cluster.courier().read(path, encodings.accept())) {
            var end = encodings.of(flow).page(flow.body(), items::add);
            all.addAll(items);
            return end.token().orElse("");
        } catch (IOException broken) {
            throw new KubernetesClientException("GET %s: the answer broke off".formatted(path), broken);
        }
    }
}
