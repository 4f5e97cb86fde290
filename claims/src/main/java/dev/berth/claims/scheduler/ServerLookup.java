package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.demand.Lookup;
import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;

/** The objects that claims name, on the server: from the caches, and settings straight from the API server. */
record ServerLookup(Cluster cluster, ClaimBook book, Catalogue catalogue) implements Lookup {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public Optional<DeviceClaim> claim(String namespace, String name) {
        return book.find(namespace, name);
    }

    @Override
    public Optional<DevicePrivilegedClaim> privilegedClaim(String namespace, String name) {
        return book.findPrivileged(namespace, name);
    }

    @Override
    public Optional<DevicePool> pool(String name) {
        return catalogue.pool(name);
    }

    @Override
    public Optional<JsonNode> config(ConfigReference reference, String namespace) {
        var object = cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            var kind = cluster.client().genericKubernetesResources(reference.apiVersion(), reference.kind());
            return Optional.<HasMetadata>ofNullable(
                    namespace.isEmpty()
                            ? kind.withName(reference.name()).get()
                            : kind.inNamespace(namespace)
                                    .withName(reference.name())
                                    .get());
        });
        return object.map(found -> Wire.tree(cluster, found));
    }
}
