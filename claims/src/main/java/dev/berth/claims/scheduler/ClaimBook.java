package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ClaimStatus;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.api.Metadata;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims on the server: as the watch tells of them, and newer where this process has written or read them itself.
 * Every write is under the resourceVersion that was looked at.
 */
final class ClaimBook {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimBook.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A claim that became another; one of the two is missing where it was made or removed. */
    @FunctionalInterface
    interface Listener {
        void changed(Optional<DeviceClaim> before, Optional<DeviceClaim> after);
    }

    private final Cluster cluster;
    private final Cache<GenericKubernetesResource> claims;
    private final Cache<GenericKubernetesResource> privileged;
    private final Map<String, DeviceClaim> newest = new ConcurrentHashMap<>();
    private final SeenClaims seen = new SeenClaims();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    ClaimBook(Cluster cluster) {
        this.cluster = cluster;
        this.claims = Cache.of(cluster, Kind.CLAIM.all());
        this.privileged = Cache.of(cluster, Kind.PRIVILEGED_CLAIM.all());
        claims.onChange(this::heard);
    }

    void onChange(Listener listener) {
        listeners.add(listener);
    }

    List<Cache<GenericKubernetesResource>> caches() {
        return List.of(claims, privileged);
    }

    Optional<DeviceClaim> find(String namespace, String name) {
        return Optional.ofNullable(newest.get(key(namespace, name)));
    }

    Optional<DevicePrivilegedClaim> findPrivileged(String namespace, String name) {
        return privileged.find(namespace, name).map(object -> DevicePrivilegedClaim.read(manifest(object)));
    }

    Collection<DeviceClaim> all() {
        return newest.values();
    }

    /** The claim as it is on the server now; nothing if it is not there. */
    Optional<DeviceClaim> read(String namespace, String name) {
        var found = cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> get(Kind.CLAIM.path(namespace, name)));
        if (found.isEmpty()) {
            forget(key(namespace, name), Optional.empty());
            return Optional.empty();
        }
        return Optional.of(learn(parse(found.get())));
    }

    /**
     * The claim of this uid as it is on the server now; nothing if it is not there, or if no such claims are served.
     */
    Optional<DeviceClaim> readByUid(String namespace, String uid) {
        var found = seen.of(uid).map(name -> read(namespace, name).stream()).orElseGet(() -> readAll(namespace));
        return found.filter(claim -> claim.metadata().uid().equals(uid)).findFirst();
    }

    private Stream<DeviceClaim> readAll(String namespace) {
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> get(Kind.CLAIM.path(namespace))).stream()
                .flatMap(list -> list.path("items").valueStream())
                .map(item -> ((ObjectNode) item).put("kind", DeviceClaim.KIND))
                .map(ClaimBook::parse);
    }

    /** Every claim that was ever seen. */
    SeenClaims seen() {
        return seen;
    }

    /** Makes a claim; one of that name that is there already is given back instead. */
    DeviceClaim create(DeviceClaim claim) {
        var metadata = claim.metadata();
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                return learn(parse(send("POST", Kind.CLAIM.path(metadata.namespace()), claim.json())));
            } catch (KubernetesClientException problem) {
                if (Failure.of(problem) != Failure.CONFLICT) {
                    throw problem;
                }
                return read(metadata.namespace(), metadata.name()).orElseThrow(() -> problem);
            }
        });
    }

    /** Writes the status if the claim is still the one that was looked at; nothing if it is another by now. */
    Optional<DeviceClaim> writeStatus(DeviceClaim claim) {
        var metadata = claim.metadata();
        var path = Kind.CLAIM.path(metadata.namespace(), metadata.name()) + "/status";
        return put(path, claim.json(), claim.status()).map(written -> learn(parse(written)));
    }

    /** The same for a privileged claim. */
    boolean writeStatus(DevicePrivilegedClaim claim) {
        var metadata = claim.metadata();
        var path = Kind.PRIVILEGED_CLAIM.path(metadata.namespace(), metadata.name()) + "/status";
        return put(path, claim.json(), claim.status()).isPresent();
    }

    private Optional<ObjectNode> put(String path, ObjectNode json, ClaimStatus status) {
        if (status.isEmpty()) {
            json.putObject("status");
        }
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                return Optional.of(send("PUT", path, json));
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    // After a lost answer the conflict may be our own write: whoever reads again sees it.
                    case CONFLICT, ABSENT -> Optional.empty();
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                };
            }
        });
    }

    /** Removes a claim that was made for a pod, if it is still the one that was looked at. */
    void delete(DeviceClaim claim) {
        var metadata = claim.metadata();
        var options = cluster.serialization().convertValue(Map.of(), ObjectNode.class);
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions")
                .put("uid", metadata.uid())
                .put("resourceVersion", Long.toString(version(metadata)));
        cluster.retry().run(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                send("DELETE", Kind.CLAIM.path(metadata.namespace(), metadata.name()), options);
            } catch (KubernetesClientException problem) {
                switch (Failure.of(problem)) {
                    case CONFLICT, ABSENT -> {}
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                }
            }
        });
    }

    private Optional<ObjectNode> get(String path) {
        return cluster.courier().get(path, ObjectNode.class);
    }

    private ObjectNode send(String method, String path, JsonNode body) {
        return cluster.courier().ask(method, path, body, ObjectNode.class);
    }

    private static DeviceClaim parse(ObjectNode claim) {
        return DeviceClaim.read(Manifest.of("DeviceClaim", claim));
    }

    private Manifest manifest(GenericKubernetesResource object) {
        return Wire.manifest(cluster, object);
    }

    private void heard(Change<GenericKubernetesResource> change) {
        var metadata = change.newest().getMetadata();
        var key = key(metadata.getNamespace(), metadata.getName());
        if (change instanceof Change.Removed<GenericKubernetesResource>) {
            seen.gone(metadata.getUid(), metadata.getName());
            forget(key, Optional.of(metadata.getUid()));
            return;
        }
        try {
            learn(DeviceClaim.read(manifest(change.newest())));
        } catch (ManifestException malformed) {
            LOG.warn("claim is passed over: claim={} reason={}", key, malformed.getMessage());
            forget(key, Optional.of(metadata.getUid()));
        }
    }

    private synchronized DeviceClaim learn(DeviceClaim claim) {
        var key = key(claim.metadata().namespace(), claim.metadata().name());
        var known = newest.get(key);
        // An answer may come later than the watch's word that the claim was removed, which is the last one.
        if (seen.isGone(claim.metadata().uid())) {
            return claim;
        }
        if (known != null && version(known.metadata()) >= version(claim.metadata())) {
            return known;
        }
        newest.put(key, claim);
        seen.add(claim.metadata().uid(), claim.metadata().name());
        listeners.forEach(listener -> listener.changed(Optional.ofNullable(known), Optional.of(claim)));
        return claim;
    }

    private synchronized void forget(String key, Optional<String> uid) {
        var known = newest.get(key);
        if (known == null
                || (uid.isPresent() && !uid.get().equals(known.metadata().uid()))) {
            return;
        }
        newest.remove(key);
        listeners.forEach(listener -> listener.changed(Optional.of(known), Optional.empty()));
    }

    private static long version(Metadata metadata) {
        return metadata.all().path("resourceVersion").asLong();
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
