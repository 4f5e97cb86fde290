package dev.berth.claims.scheduler;

import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.demand.PodResourceClaims;
import dev.berth.claims.dra.status.Held;
import dev.berth.kube.Cluster;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.pod.PodPath;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The claim that stands for a pod's extended resources where a class has devices for them: nobody wrote it, so that it
 * is made when a place was found, named in the pod's status before the pod is bound, and removed if that fails.
 */
final class ExtendedClaims {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_POD_NAME = 200;

    private final Cluster cluster;
    private final ResourceBook book;
    private final SliceCatalogue slices;

    ExtendedClaims(Cluster cluster, ResourceBook book, SliceCatalogue slices) {
        this.cluster = cluster;
        this.book = book;
        this.slices = slices;
    }

    /** What the pod asks for by number, and a class has devices for. */
    Optional<ExtendedResources> of(Pod pod) {
        return ExtendedResources.of(pod, slices.classes());
    }

    /** The claim as it is, if an earlier attempt made it, or as it would be made. */
    ResourceClaim find(Pod pod, ExtendedResources resources) {
        var metadata = pod.getMetadata();
        return book.find(metadata.getNamespace(), name(pod))
                .filter(claim -> PodResourceClaims.isOwned(claim, pod))
                .orElseGet(() -> new ResourceClaimBuilder(resources.claim())
                        .editMetadata()
                        .withName(name(pod))
                        // Stands for the uid that it gets when it is made.
                        .withUid("to be made for " + metadata.getUid())
                        .endMetadata()
                        .build());
    }

    /** The same name for every attempt, so that a lost answer does not make a second claim. */
    private static String name(Pod pod) {
        var metadata = pod.getMetadata();
        var name = metadata.getName();
        var uid = metadata.getUid() == null ? "" : metadata.getUid();
        return "%s-extended-resources-%s"
                .formatted(
                        name.substring(0, Math.min(name.length(), LONGEST_POD_NAME))
                                .replaceAll("[-.]+$", ""),
                        uid.substring(0, Math.min(uid.length(), 8)));
    }

    static boolean isToBeMade(PlannedClaim planned) {
        return planned.use().equals(ExtendedResources.USE)
                && planned.claim().getMetadata().getResourceVersion() == null;
    }

    /** The claim, made now; nothing if one of that name has devices already, or is another's. */
    Optional<PlannedClaim> make(Pod pod, PlannedClaim planned) {
        var made = book.create(new ResourceClaimBuilder(planned.claim())
                .editMetadata()
                .withUid(null)
                .endMetadata()
                .build());
        return Optional.of(planned.as(made))
                .filter(claim -> !claim.allocated() && PodResourceClaims.isOwned(made, pod));
    }

    /** Removes the claim that was made, unless another scheduler has done something with it since. */
    void remove(ResourceClaim made) {
        book.find(made.getMetadata().getNamespace(), made.getMetadata().getName())
                .filter(claim ->
                        claim.getMetadata().getUid().equals(made.getMetadata().getUid())
                                && Held.results(claim).isEmpty())
                .ifPresent(book::delete);
    }

    /** Says in the pod's status which of its containers gets what; false if the pod is gone. */
    boolean tell(Pod pod, ExtendedResources resources, ResourceClaim claim) {
        var metadata = pod.getMetadata();
        // The uid makes the patch fail on another pod of that name.
        var patch = Map.of(
                "metadata",
                Map.of("uid", metadata.getUid()),
                "status",
                Map.of(
                        "extendedResourceClaimStatus",
                        Map.of(
                                "resourceClaimName",
                                claim.getMetadata().getName(),
                                "requestMappings",
                                resources.mappings())));
        var path = PodPath.of(metadata.getNamespace(), metadata.getName()) + "/status";
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                cluster.courier().patch(path, Courier.STRATEGIC_MERGE_PATCH, patch);
                return true;
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    case ABSENT, CONFLICT -> false;
                    case REFUSED, TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                };
            }
        });
    }
}
