package dev.berth.claims.scheduler;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The claims of {@code resource.k8s.io}: as the watch tells of them, and newer where this process has written them
 * itself. Every write is under the resourceVersion that was looked at.
 */
final class ResourceBook {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A claim that became another; one of the two is missing where it was made or removed. */
    @FunctionalInterface
    interface Listener {
        void changed(Optional<ResourceClaim> before, Optional<ResourceClaim> after);
    }

    private final Cluster cluster;
    private final Cache<ResourceClaim> claims;
    private final Map<String, ResourceClaim> newest = new ConcurrentHashMap<>();
    private final SeenClaims seen = new SeenClaims();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    ResourceBook(Cluster cluster) {
        this.cluster = cluster;
        this.claims = Cache.of(cluster, Listing.of(ResourceClaim.class));
        claims.onChange(this::heard);
    }

    List<Cache<?>> caches() {
        return List.of(claims);
    }

    void onChange(Listener listener) {
        listeners.add(listener);
    }

    Optional<ResourceClaim> find(String namespace, String name) {
        return Optional.ofNullable(newest.get(namespace + "/" + name));
    }

    Collection<ResourceClaim> all() {
        return newest.values();
    }

    /** The claim as it is on the server now; nothing if it is not there. */
    Optional<ResourceClaim> read(String namespace, String name) {
        var found = cluster.retry()
                .call(
                        Repeat.IF_UNKNOWN,
                        PATIENCE,
                        () -> cluster.courier().get(path(namespace, name), ResourceClaim.class));
        return found.map(this::learn);
    }

    /** The claim of this uid as it is on the server now; nothing if it is not there. */
    Optional<ResourceClaim> readByUid(String namespace, String uid) {
        var found = seen.of(uid).map(name -> read(namespace, name).stream()).orElseGet(() -> readAll(namespace));
        return found.filter(claim -> claim.getMetadata().getUid().equals(uid)).findFirst();
    }

    private Stream<ResourceClaim> readAll(String namespace) {
        return cluster
                .retry()
                .call(
                        Repeat.IF_UNKNOWN,
                        PATIENCE,
                        () -> cluster.courier().get(path(namespace, ""), ResourceClaimList.class))
                .stream()
                .flatMap(list -> list.getItems().stream());
    }

    /** Every claim that was ever seen. */
    SeenClaims seen() {
        return seen;
    }

    /** Makes a claim; one of that name that is there already is given back instead. */
    ResourceClaim create(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                return learn(
                        cluster.courier().ask("POST", path(metadata.getNamespace(), ""), claim, ResourceClaim.class));
            } catch (KubernetesClientException problem) {
                if (Failure.of(problem) != Failure.CONFLICT) {
                    throw problem;
                }
                return read(metadata.getNamespace(), metadata.getName()).orElseThrow(() -> problem);
            }
        });
    }

    /** Removes the claim if it is still as it was looked at. */
    void delete(ResourceClaim claim) {
        var options = Map.of(
                "apiVersion",
                "v1",
                "kind",
                "DeleteOptions",
                "preconditions",
                Map.of(
                        "uid",
                        claim.getMetadata().getUid(),
                        "resourceVersion",
                        claim.getMetadata().getResourceVersion()));
        cluster.retry().run(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                cluster.courier().tell("DELETE", path(claim), options);
            } catch (KubernetesClientException problem) {
                switch (Failure.of(problem)) {
                    case CONFLICT, ABSENT -> {}
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                }
            }
        });
    }

    /** Writes the claim itself, such as its finalizers; nothing if it is another by now. */
    Optional<ResourceClaim> write(ResourceClaim claim) {
        return put(path(claim), claim);
    }

    /** Writes the status if the claim is still the one that was looked at; nothing if it is another by now. */
    Optional<ResourceClaim> writeStatus(ResourceClaim claim) {
        return put(path(claim) + "/status", claim);
    }

    private Optional<ResourceClaim> put(String path, ResourceClaim claim) {
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                return Optional.of(learn(cluster.courier().ask("PUT", path, claim, ResourceClaim.class)));
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    // After a lost answer the conflict may be our own write: whoever reads again sees it.
                    case CONFLICT, ABSENT -> Optional.empty();
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                };
            }
        });
    }

    private static String path(ResourceClaim claim) {
        return path(claim.getMetadata().getNamespace(), claim.getMetadata().getName());
    }

    private static String path(String namespace, String name) {
        return "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims%s"
                .formatted(namespace, name.isEmpty() ? "" : "/" + name);
    }

    private void heard(Change<ResourceClaim> change) {
        var claim = change.newest();
        if (change instanceof Change.Removed<ResourceClaim>) {
            seen.gone(claim.getMetadata().getUid(), claim.getMetadata().getName());
            forget(claim);
        } else {
            learn(claim);
        }
    }

    private synchronized ResourceClaim learn(ResourceClaim claim) {
        var key = key(claim);
        var known = newest.get(key);
        // An answer may come later than the watch's word that the claim was removed, which is the last one.
        if (seen.isGone(claim.getMetadata().getUid())) {
            return claim;
        }
        if (known != null && version(known) >= version(claim)) {
            return known;
        }
        newest.put(key, claim);
        seen.add(claim.getMetadata().getUid(), claim.getMetadata().getName());
        listeners.forEach(listener -> listener.changed(Optional.ofNullable(known), Optional.of(claim)));
        return claim;
    }

    private synchronized void forget(ResourceClaim claim) {
        var known = newest.get(key(claim));
        if (known != null
                && known.getMetadata().getUid().equals(claim.getMetadata().getUid())) {
            newest.remove(key(claim));
            listeners.forEach(listener -> listener.changed(Optional.of(known), Optional.empty()));
        }
    }

    private static long version(ResourceClaim claim) {
        return Long.parseLong(claim.getMetadata().getResourceVersion());
    }

    private static String key(ResourceClaim claim) {
        return claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
    }
}
