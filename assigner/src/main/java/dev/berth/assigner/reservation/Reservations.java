package dev.berth.assigner.reservation;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pages;
import dev.berth.kube.cache.SharedRead;
import dev.berth.kube.lease.LeaseOutcome;
import dev.berth.kube.lease.Leases;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Leases of the claims namespace: what the watch shows, and the writes, each under its precondition. */
public final class Reservations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);
    private static final String BY_ID = "id";
    private static final String BY_HOLDER = "holder";
    private static final Duration READ_PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String namespace;
    private final Leases leases;
    private final Cache<Lease> cache;
    private final SharedRead<Map<String, Reservation>> everything = new SharedRead<>(this::list);

    public Reservations(Cluster cluster, String namespace, InstantSource clock) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.leases = new Leases(cluster, namespace, clock);
        this.cache = Cache.of(
                cluster,
                Listing.of(Lease.class).in(namespace),
                Map.of(
                        BY_ID, lease -> List.of(new Reservation(lease).id()),
                        BY_HOLDER, lease -> List.of(new Reservation(lease).holder())));
    }

    public void start() {
        cache.start();
    }

    public boolean synced() {
        return cache.synced();
    }

    /** Calls this for every change, on a thread of the cache: it must not wait for anything. */
    public void onChange(Consumer<Change<Lease>> listener) {
        cache.onChange(listener);
    }

    public Optional<Reservation> find(String leaseName) {
        return cache.find(namespace, leaseName).map(Reservation::new);
    }

    public List<Reservation> all() {
        return cache.all().stream().map(Reservation::new).toList();
    }

    public List<Reservation> byId(String id) {
        return cache.by(BY_ID, id).stream().map(Reservation::new).toList();
    }

    List<Reservation> byHolder(String holder) {
        return cache.by(BY_HOLDER, holder).stream().map(Reservation::new).toList();
    }

    /** Asks the API server itself. */
    public Optional<Reservation> read(String leaseName) {
        return leases.read(leaseName).map(Reservation::new);
    }

    /** All of them by name, from the API server itself, no older than this call. */
    public Map<String, Reservation> readAll(Duration within) {
        return everything.get(within);
    }

    private Map<String, Reservation> list() {
        var all = new HashMap<String, Reservation>();
        Pages.read(cluster, Listing.of(Lease.class).in(namespace), READ_PATIENCE)
                .forEach(lease -> all.put(lease.getMetadata().getName(), new Reservation(lease)));
        return all;
    }

    /** Sets a GPU aside for a pod that does not exist yet. */
    public LeaseOutcome propose(String uuid, String podNamespace, String id, Instant now) {
        var claim = Reservation.proposal(uuid, podNamespace, id);
        try {
            return leases.create(claim, now);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) != Failure.ABSENT) {
                throw problem;
            }
            // Only the namespace can be absent. Where we may not make it, the message of that says what to do.
            makeNamespace();
            return leases.create(claim, now);
        }
    }

    private void makeNamespace() {
        var wanted = new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build();
        try {
            cluster.courier().tell("POST", "/api/v1/namespaces", wanted);
            LOG.warn("namespace for claims was missing and is there now: namespace={}", namespace);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) != Failure.CONFLICT) {
                throw new IllegalStateException(
                        "the namespace %s does not exist and cannot be made: %s"
                                .formatted(namespace, Failure.words(problem)),
                        problem);
            }
        }
    }

    /** Hands it to its pod. */
    LeaseOutcome promote(Reservation reservation, String uuid, String podNamespace, String podUid) {
        return leases.renew(reservation.lease(), reservation.promotion(uuid, podNamespace, podUid));
    }

    LeaseOutcome renew(Reservation reservation) {
        return leases.renew(reservation.lease(), reservation.renewal());
    }

    /** Takes it back, if it is still the same one. */
    public void delete(Reservation reservation) {
        leases.delete(reservation.lease());
    }

    @Override
    public void close() {
        cache.close();
    }
}
