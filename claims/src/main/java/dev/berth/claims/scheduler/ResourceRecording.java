package dev.berth.claims.scheduler;

import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.status.Allocations;
import dev.berth.core.verdict.Placement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReferenceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatus;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes into a claim what it got and who uses it. Of several schedulers that do so at once the first wins; one that
 * only finds the claim touched, and still without devices, writes again: to give up then would be to take down a line
 * of the ledger that the other, who decided on the same device, relies on.
 */
final class ResourceRecording {
    static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final int MOST_TRIES = 8;

    private final ResourceBook book;
    private final Allocations allocations;
    private final InstantSource clock;

    ResourceRecording(ResourceBook book, SliceCatalogue slices, InstantSource clock) {
        this.book = book;
        this.allocations = new Allocations(
                slices::find, slices::deviceClass, () -> UUID.randomUUID().toString());
        this.clock = clock;
    }

    /** The claim with its devices and with the pod among its consumers; nothing if that cannot be any more. */
    Optional<ResourceClaim> write(Pod pod, PlannedClaim planned, Placement placement) {
        var metadata = planned.claim().getMetadata();
        var now = Optional.of(planned.claim());
        for (int tries = 1; tries <= MOST_TRIES && now.isPresent(); tries++) {
            var written = guarded(planned, now.get())
                    .flatMap(claim -> book.writeStatus(filled(claim, pod, planned, placement)));
            if (written.isPresent()) {
                return written;
            }
            now = book.read(metadata.getNamespace(), metadata.getName()).filter(claim -> isAsPlanned(claim, planned));
        }
        return Optional.empty();
    }

    /** Whether what was decided is still of use: the very claim, with devices if it had some, and without if not. */
    private static boolean isAsPlanned(ResourceClaim claim, PlannedClaim planned) {
        return claim.getMetadata().getUid().equals(ResourceDecided.id(planned))
                && claim.getMetadata().getDeletionTimestamp() == null
                && planned.as(claim).allocated() == planned.allocated();
    }

    /** A claim with devices must not vanish before they are given back. */
    private Optional<ResourceClaim> guarded(PlannedClaim planned, ResourceClaim claim) {
        if (planned.allocated()
                || Given.list(claim.getMetadata().getFinalizers()).contains(FINALIZER)) {
            return Optional.of(claim);
        }
        return book.write(new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .addToFinalizers(FINALIZER)
                        .endMetadata()
                        .build())
                .filter(written -> isAsPlanned(written, planned));
    }

    private ResourceClaim filled(ResourceClaim claim, Pod pod, PlannedClaim planned, Placement placement) {
        var next = new ResourceClaimBuilder(claim).build();
        var status = Optional.ofNullable(next.getStatus()).orElseGet(ResourceClaimStatus::new);
        if (!planned.allocated()) {
            var allocation = allocations.of(planned, placement);
            // A server that does not know conditions drops the time: it is of use only where there are any.
            allocation.setAllocationTimestamp(
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
            status.setAllocation(allocation);
        }
        var consumers = new ArrayList<>(Given.list(status.getReservedFor()));
        if (consumers.stream().noneMatch(consumer -> pod.getMetadata().getUid().equals(consumer.getUid()))) {
            consumers.add(new ResourceClaimConsumerReferenceBuilder()
                    .withResource("pods")
                    .withName(pod.getMetadata().getName())
                    .withUid(pod.getMetadata().getUid())
                    .build());
        }
        status.setReservedFor(consumers);
        next.setStatus(status);
        return next;
    }
}
