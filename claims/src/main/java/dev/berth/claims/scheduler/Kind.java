package dev.berth.claims.scheduler;

import dev.berth.claims.api.Group;
import dev.berth.kube.Cluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** The prototype's kinds as the API server serves them. */
enum Kind {
    CLAIM("DeviceClaim", "deviceclaims", true),
    PRIVILEGED_CLAIM("DevicePrivilegedClaim", "deviceprivilegedclaims", true),
    CLASS("DeviceClass", "deviceclasses", false),
    DRIVER("DeviceDriver", "devicedrivers", false),
    POOL("DevicePool", "devicepools", false);

    private final String label;
    private final String plural;
    private final boolean namespaced;

    Kind(String label, String plural, boolean namespaced) {
        this.label = label;
        this.plural = plural;
        this.namespaced = namespaced;
    }

    String plural() {
        return plural;
    }

    Informable<GenericKubernetesResource> all(Cluster cluster) {
        var context = new ResourceDefinitionContext.Builder()
                .withGroup(Group.NAME)
                .withVersion(Group.API_VERSION.substring(Group.NAME.length() + 1))
                .withKind(label)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
        var resources = cluster.client().genericKubernetesResources(context);
        return namespaced ? resources.inAnyNamespace() : resources;
    }

    /** Where the objects of a namespace live. */
    String path(String namespace) {
        return "/apis/%s/namespaces/%s/%s".formatted(Group.API_VERSION, namespace, plural);
    }

    String path(String namespace, String name) {
        return path(namespace) + "/" + name;
    }
}
