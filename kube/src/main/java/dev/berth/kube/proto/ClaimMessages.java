package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.NodeAllocatableResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;

/** What pods say of the claims that they have on devices. */
final class ClaimMessages {
    private ClaimMessages() {}

    static void claim(PodResourceClaim claim, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> claim.setName(in.text());
            case 3 -> claim.setResourceClaimName(in.text());
            case 4 -> claim.setResourceClaimTemplateName(in.text());
            default -> in.skip();
        }
    }

    static void status(PodResourceClaimStatus status, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> status.setName(in.text());
            case 2 -> status.setResourceClaimName(in.text());
            default -> in.skip();
        }
    }

    static void extended(PodExtendedResourceClaimStatus status, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 ->
                status.getRequestMappings()
                        .add(in.message(new ContainerExtendedResourceRequest(), ClaimMessages::request));
            case 2 -> status.setResourceClaimName(in.text());
            default -> in.skip();
        }
    }

    static void request(ContainerExtendedResourceRequest request, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 -> request.setContainerName(in.text());
            case 2 -> request.setResourceName(in.text());
            case 3 -> request.setRequestName(in.text());
            default -> in.skip();
        }
    }

    static void allocatable(NodeAllocatableResourceClaimStatus status, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 -> status.setResourceClaimName(in.text());
            case 2 -> status.getContainers().add(in.text());
            case 3 -> ResourceMessages.quantity(status.getResources(), in);
            default -> in.skip();
        }
    }
}
