package dev.berth.kube.lease;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
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
        return new LeaseBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(claim.name())
                        .withLabels(claim.labels())
                        .withAnnotations(claim.annotations())
                        .build())
                .withSpec(new LeaseSpecBuilder()
                        .withHolderIdentity(claim.holder())
                        .withLeaseDurationSeconds(
                                Math.toIntExact(claim.duration().toSeconds()))
                        .withAcquireTime(micro(now))
                        .withRenewTime(micro(now))
                        .build())
                .build();
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
        return new LeaseBuilder(lease)
                .editMetadata()
                .withLabels(merged(lease.getMetadata().getLabels(), claim.labels()))
                .withAnnotations(merged(lease.getMetadata().getAnnotations(), claim.annotations()))
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(claim.holder())
                .withLeaseDurationSeconds(Math.toIntExact(claim.duration().toSeconds()))
                .withRenewTime(micro(now))
                .endSpec()
                .build();
    }

    /** Held by nobody, the way client-go's leader election leaves it. */
    Lease released(Instant now) {
        return new LeaseBuilder(lease)
                .editOrNewSpec()
                .withHolderIdentity("")
                .withLeaseDurationSeconds(1)
                .withAcquireTime(micro(now))
                .withRenewTime(micro(now))
                .endSpec()
                .build();
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
