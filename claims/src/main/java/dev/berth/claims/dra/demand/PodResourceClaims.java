package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.pool.Given;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Which claims a pod uses. */
public final class PodResourceClaims {
    public static final String POD_CLAIM_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

    private PodResourceClaims() {}

    /** A claim that the pod names itself, or one that is made for it from a template. */
    public sealed interface Use {
        /** What the pod calls it. */
        String name();

        record Named(String name, String claim) implements Use {}

        record Made(String name, String template) implements Use {}
    }

    /** @throws UnusableClaimException if the pod says something about claims that cannot be */
    public static List<Use> of(Pod pod) throws UnusableClaimException {
        var uses = new java.util.ArrayList<Use>();
        var names = new HashSet<String>();
        for (var written : Given.list(pod.getSpec().getResourceClaims())) {
            String claim = Given.text(written.getResourceClaimName());
            String template = Given.text(written.getResourceClaimTemplateName());
            if (claim.isEmpty() == template.isEmpty()) {
                throw new UnusableClaimException(
                        "the pod's claim %s names either a claim or a template".formatted(written.getName()));
            }
            if (!names.add(written.getName())) {
                throw new UnusableClaimException("the pod has two claims called " + written.getName());
            }
            uses.add(
                    template.isEmpty()
                            ? new Use.Named(written.getName(), claim)
                            : new Use.Made(written.getName(), template));
        }
        for (var container : containers(pod).toList()) {
            if (container.getResources() == null) {
                continue;
            }
            for (var used : Given.list(container.getResources().getClaims())) {
                if (!names.contains(used.getName())) {
                    throw new UnusableClaimException("the container %s uses the claim %s, which the pod does not have"
                            .formatted(container.getName(), used.getName()));
                }
            }
        }
        return List.copyOf(uses);
    }

    /** Whether every claim that is to be made for the pod has been made, as far as its status says. */
    public static boolean areMade(Pod pod) {
        return Given.list(pod.getSpec().getResourceClaims()).stream()
                .filter(claim ->
                        !Given.text(claim.getResourceClaimTemplateName()).isEmpty())
                .allMatch(claim -> madeName(pod, new Use.Made(claim.getName(), claim.getResourceClaimTemplateName()))
                        .isPresent());
    }

    public static Stream<Container> containers(Pod pod) {
        return Stream.concat(
                Given.list(pod.getSpec().getInitContainers()).stream(),
                Given.list(pod.getSpec().getContainers()).stream());
    }

    /** The claim that was made for the pod, if the cluster says so: its status names it. */
    public static Optional<String> madeName(Pod pod, Use.Made use) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        return Given.list(pod.getStatus().getResourceClaimStatuses()).stream()
                .filter(status -> use.name().equals(status.getName()))
                .flatMap(status -> Optional.ofNullable(status.getResourceClaimName()).stream())
                .findFirst();
    }

    /** Whether a claim belongs to the pod, so that nobody else's is taken for it. */
    public static boolean isOwned(ResourceClaim claim, Pod pod) {
        return Given.list(claim.getMetadata().getOwnerReferences()).stream()
                .anyMatch(owner -> "Pod".equals(owner.getKind())
                        && pod.getMetadata().getName().equals(owner.getName())
                        && (Given.text(pod.getMetadata().getUid()).isEmpty()
                                || pod.getMetadata().getUid().equals(owner.getUid())));
    }

    /** Who a claim that is made for a pod belongs to. */
    static OwnerReference owner(Pod pod) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** The claim that a template makes for a pod, under this name. */
    public static ResourceClaim make(Pod pod, Use.Made use, ResourceClaimTemplate template, String name) {
        var from = template.getSpec().getMetadata();
        Map<String, String> annotations = new HashMap<>(from == null ? Map.of() : Given.map(from.getAnnotations()));
        annotations.put(POD_CLAIM_ANNOTATION, use.name());
        return new ResourceClaimBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(name)
                        .withLabels(from == null ? Map.of() : Given.map(from.getLabels()))
                        .withAnnotations(annotations)
                        .withOwnerReferences(owner(pod))
                        .build())
                .withSpec(template.getSpec().getSpec())
                .build();
    }
}
