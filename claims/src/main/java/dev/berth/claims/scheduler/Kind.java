package dev.berth.claims.scheduler;

import dev.berth.claims.api.Group;
import dev.berth.kube.cache.Listing;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** The prototype's kinds as the API server serves them. */
enum Kind {
    CLAIM("deviceclaims"),
    PRIVILEGED_CLAIM("deviceprivilegedclaims"),
    CLASS("deviceclasses"),
    DRIVER("devicedrivers"),
    POOL("devicepools");

    private final String plural;

    Kind(String plural) {
        this.plural = plural;
    }

    String plural() {
        return plural;
    }

    Listing<GenericKubernetesResource> all() {
        return Listing.of(Group.API_VERSION, plural);
    }

    /** Where the objects of a namespace live. */
    String path(String namespace) {
        return "/apis/%s/namespaces/%s/%s".formatted(Group.API_VERSION, namespace, plural);
    }

    String path(String namespace, String name) {
        return path(namespace) + "/" + name;
    }
}
