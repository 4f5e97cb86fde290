package dev.berth.assigner.reservation;

import dev.berth.assigner.wire.Keys;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.lease.LeaseClaim;
import dev.berth.kube.lease.LeaseRecord;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A GPU's Lease as the assigner thinks of it. */
public record Reservation(Lease lease) {
    public static final Duration PROPOSAL_LIFE = Duration.ofMinutes(1);
    public static final Duration ACTIVE_LIFE = Duration.ofMinutes(5);

    /** What is written when a GPU is set aside for a pod that does not exist yet. */
    static LeaseClaim proposal(String uuid, String namespace, String id) {
        return new LeaseClaim(
                LeaseName.of(uuid),
                id,
                PROPOSAL_LIFE,
                Map.of(Keys.UUID, LeaseName.label(uuid), Keys.STATE, Keys.PROPOSAL, Keys.POD_NAMESPACE, namespace),
                Map.of(Keys.RESERVATION_ID, id));
    }

    /** What is written when the pod is there. */
    LeaseClaim promotion(String uuid, String namespace, String podUid) {
        return new LeaseClaim(
                name(),
                podUid,
                ACTIVE_LIFE,
                Map.of(Keys.UUID, LeaseName.label(uuid), Keys.STATE, Keys.ACTIVE, Keys.POD_NAMESPACE, namespace),
                Map.of(Keys.RESERVATION_ID, id()));
    }

    /** What is written to keep it as it is. */
    LeaseClaim renewal() {
        return new LeaseClaim(name(), holder(), duration());
    }

    public String name() {
        return lease.getMetadata().getName();
    }

    public String holder() {
        return new LeaseRecord(lease).holder();
    }

    /** Stays the same from the proposal to the end. */
    public String id() {
        return writtenId().orElse(holder());
    }

    /** The id where the Lease has one of its own. */
    public Optional<String> writtenId() {
        return annotation(Keys.RESERVATION_ID);
    }

    public Optional<String> uuidLabel() {
        return label(Keys.UUID);
    }

    /** The pod's namespace. */
    public Optional<String> namespace() {
        return label(Keys.POD_NAMESPACE);
    }

    public boolean proposal() {
        return writtenState().filter(Keys.PROPOSAL::equals).isPresent();
    }

    public Optional<String> writtenState() {
        return label(Keys.STATE);
    }

    /** A Lease that says nothing is handled as active. */
    public String state() {
        return proposal() ? Keys.PROPOSAL : Keys.ACTIVE;
    }

    public Instant renewed() {
        return spec().map(LeaseSpec::getRenewTime).map(ZonedDateTime::toInstant).orElse(Instant.EPOCH);
    }

    public Instant expiry() {
        return renewed().plus(duration());
    }

    public boolean expiredAt(Instant now) {
        return !now.isBefore(expiry());
    }

    private Duration duration() {
        return spec().map(LeaseSpec::getLeaseDurationSeconds)
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds)
                .orElse(ACTIVE_LIFE);
    }

    private Optional<LeaseSpec> spec() {
        return Optional.ofNullable(lease.getSpec());
    }

    private Optional<String> label(String key) {
        return found(lease.getMetadata().getLabels(), key);
    }

    private Optional<String> annotation(String key) {
        return found(lease.getMetadata().getAnnotations(), key);
    }

    private static Optional<String> found(@Nullable Map<String, String> map, String key) {
        return Optional.ofNullable(Objects.requireNonNullElse(map, Map.<String, String>of())
                        .get(key))
                .filter(value -> !value.isBlank());
    }
}
