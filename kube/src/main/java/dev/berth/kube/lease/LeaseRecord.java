package dev.berth.kube.lease;

import dev.berth.kube.Metadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Lease as its readers think of it, and the next object for each thing that can happen to it. */
public record LeaseRecord(Lease lease) {
    static Lease fresh(LeaseClaim claim, String namespace, Instant now) {
        var metadata = Metadata.named(claim.name());
        metadata.setNamespace(namespace);
        metadata.setLabels(claim.labels());
        metadata.setAnnotations(claim.annotations());
        var spec = new LeaseSpec();
        spec.setHolderIdentity(claim.holder());
        spec.setLeaseDurationSeconds(Math.toIntExact(claim.duration().toSeconds()));
        spec.setAcquireTime(micro(now));
        spec.setRenewTime(micro(now));
        var lease = new Lease();
        lease.setMetadata(metadata);
        lease.setSpec(spec);
        return lease;
    }

    public String holder() {
        return spec().map(LeaseSpec::getHolderIdentity).orElse("");
    }

    public boolean heldBy(String holder) {
        return holder().equals(holder);
    }

    public boolean free() {
        return holder().isBlank();
    }

    /** When the holder's time is up unless it renews; a Lease without times has expired. */
    public Instant expiry() {
        var renewed = spec().map(LeaseSpec::getRenewTime);
        long seconds = spec().map(LeaseSpec::getLeaseDurationSeconds).orElse(0);
        return renewed.map(time -> time.toInstant().plusSeconds(seconds)).orElse(Instant.EPOCH);
    }

    public boolean expiredAt(Instant now) {
        return !now.isBefore(expiry());
    }

    /** With the claimer as holder; a new one starts anew, the same one goes on. */
    Lease claimed(LeaseClaim claim, Instant now) {
        var next = renewed(claim, now);
        if (!heldBy(claim.holder())) {
            next.getSpec().setAcquireTime(micro(now));
            next.getSpec()
                    .setLeaseTransitions(
                            spec().map(LeaseSpec::getLeaseTransitions).orElse(0) + 1);
        }
        return next;
    }

    /** With a new time, and what the claim says; the time of acquisition stays. */
    Lease renewed(LeaseClaim claim, Instant now) {
        var next = copy();
        next.getMetadata().setLabels(merged(lease.getMetadata().getLabels(), claim.labels()));
        next.getMetadata().setAnnotations(merged(lease.getMetadata().getAnnotations(), claim.annotations()));
        next.getSpec().setHolderIdentity(claim.holder());
        next.getSpec().setLeaseDurationSeconds(Math.toIntExact(claim.duration().toSeconds()));
        next.getSpec().setRenewTime(micro(now));
        return next;
    }

    /** Held by nobody, the way client-go's leader election leaves it. */
    Lease released(Instant now) {
        var next = copy();
        next.getSpec().setHolderIdentity("");
        next.getSpec().setLeaseDurationSeconds(1);
        next.getSpec().setAcquireTime(micro(now));
        next.getSpec().setRenewTime(micro(now));
        return next;
    }

    private Lease copy() {
        var copy = new Lease();
        copy.setMetadata(Metadata.copy(lease.getMetadata()));
        copy.setSpec(spec().map(LeaseRecord::copy).orElseGet(LeaseSpec::new));
        copy.setAdditionalProperties(lease.getAdditionalProperties());
        return copy;
    }

    private static LeaseSpec copy(LeaseSpec spec) {
        var copy = new LeaseSpec();
        copy.setHolderIdentity(spec.getHolderIdentity());
        copy.setLeaseDurationSeconds(spec.getLeaseDurationSeconds());
        copy.setAcquireTime(spec.getAcquireTime());
        copy.setRenewTime(spec.getRenewTime());
        copy.setLeaseTransitions(spec.getLeaseTransitions());
        copy.setPreferredHolder(spec.getPreferredHolder());
        copy.setStrategy(spec.getStrategy());
        copy.setAdditionalProperties(spec.getAdditionalProperties());
        return copy;
    }

    private Optional<LeaseSpec> spec() {
        return Optional.ofNullable(lease.getSpec());
    }

    private static Map<String, String> merged(@Nullable Map<String, String> old, Map<String, String> added) {
        var both = new HashMap<>(Objects.requireNonNullElse(old, Map.of()));
        both.putAll(added);
        return both;
    }

    /** Kubernetes keeps microseconds and refuses a Lease with nanoseconds. */
    private static ZonedDateTime micro(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
