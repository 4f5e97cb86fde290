package dev.berth.claims.scheduler;

import dev.berth.claims.dra.pool.Given;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes pods that ended out of the claims that they used; with the last one the devices are given back. In a cluster
 * with a kube-controller-manager that is its work: whoever comes second finds nothing to do. The ledger follows what
 * the claims show.
 */
final class ResourceRelease {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceRelease.class);
    private static final int MOST_TRIES = 8;

    private final ClaimsWorld world;

    ResourceRelease(ClaimsWorld world) {
        this.world = world;
    }

    /** The claims that this pod uses. */
    List<ResourceClaim> claimsOf(String namespace, String podName) {
        return world.resourceBook().all().stream()
                .filter(claim -> claim.getMetadata().getNamespace().equals(namespace))
                .filter(claim -> consumers(claim).stream().anyMatch(consumer -> podName.equals(consumer.getName())))
                .toList();
    }

    /** Looks whether the claim's pods are still there, and takes it from those that are not. */
    void check(ResourceClaim claim) {
        var gone = new HashSet<String>();
        for (var consumer : consumers(claim)) {
            if ("pods".equals(consumer.getResource()) && isGone(claim, consumer)) {
                gone.add(consumer.getUid());
            }
        }
        if (!gone.isEmpty()) {
            leave(claim, gone);
        }
    }

    /** The same for all claims of which the caches do not show all pods. */
    void checkAll() {
        for (var claim : List.copyOf(world.resourceBook().all())) {
            try {
                if (suspicious(claim)) {
                    check(claim);
                }
            } catch (RuntimeException problem) {
                LOG.warn(
                        "claim could not be checked and is looked at again later: claim={}/{} reason={}",
                        claim.getMetadata().getNamespace(),
                        claim.getMetadata().getName(),
                        Releases.words(problem));
            }
        }
    }

    private boolean suspicious(ResourceClaim claim) {
        return consumers(claim).stream()
                .anyMatch(consumer -> world.pods()
                        .find(claim.getMetadata().getNamespace(), consumer.getName())
                        .map(Sighting::finished)
                        .orElse(true));
    }

    /** Takes these pods out of the claim. */
    void leave(ResourceClaim claim, Set<String> podUids) {
        var metadata = claim.getMetadata();
        Optional<ResourceClaim> now = Optional.of(claim);
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            var current = now.filter(known -> known.getMetadata().getUid().equals(metadata.getUid()));
            if (current.isEmpty()
                    || consumers(current.get()).stream().noneMatch(consumer -> podUids.contains(consumer.getUid()))) {
                return;
            }
            var rest = consumers(current.get()).stream()
                    .filter(consumer -> !podUids.contains(consumer.getUid()))
                    .toList();
            var next = new ResourceClaimBuilder(current.get()).build();
            next.getStatus().setReservedFor(rest);
            if (rest.isEmpty()) {
                next.getStatus().setAllocation(null);
                next.getStatus().setDevices(List.of());
            }
            var written = world.resourceBook().writeStatus(next);
            if (written.isPresent()) {
                if (rest.isEmpty()) {
                    unguard(written.get());
                }
                LOG.info(
                        "claim released: claim={}/{} devices={}",
                        metadata.getNamespace(),
                        metadata.getName(),
                        rest.isEmpty() ? "given back" : "kept");
                return;
            }
            now = world.resourceBook().read(metadata.getNamespace(), metadata.getName());
        }
        LOG.warn(
                "claim could not be released and is tried again later: claim={}/{}",
                metadata.getNamespace(),
                metadata.getName());
    }

    /** A claim without devices can be deleted; if this is not written, another release does it. */
    private void unguard(ResourceClaim claim) {
        if (Given.list(claim.getMetadata().getFinalizers()).contains(ResourceRecording.FINALIZER)) {
            var _ = world.resourceBook()
                    .write(new ResourceClaimBuilder(claim)
                            .editMetadata()
                            .removeFromFinalizers(ResourceRecording.FINALIZER)
                            .endMetadata()
                            .build());
        }
    }

    private static List<ResourceClaimConsumerReference> consumers(ResourceClaim claim) {
        return claim.getStatus() == null
                ? List.of()
                : Given.list(claim.getStatus().getReservedFor());
    }

    private boolean isGone(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
        return world.podNow(claim.getMetadata().getNamespace(), consumer.getName())
                .filter(found -> found.getMetadata().getUid().equals(consumer.getUid()))
                .map(Sighting::finished)
                .orElse(true);
    }
}
