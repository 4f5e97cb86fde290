package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import dev.berth.kube.Cluster;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Objects of the server as the readers of files take them: with the fields that no class knows. */
final class Wire {
    private Wire() {}

    static Manifest manifest(Cluster cluster, HasMetadata object) {
        var tree = tree(cluster, object);
        return Manifest.of("%s %s".formatted(object.getKind(), name(object)), tree);
    }

    static ObjectNode tree(Cluster cluster, HasMetadata object) {
        return cluster.serialization().convertValue(object, ObjectNode.class);
    }

    static String name(HasMetadata object) {
        var metadata = object.getMetadata();
        var namespace = metadata.getNamespace();
        return namespace == null || namespace.isEmpty() ? metadata.getName() : namespace + "/" + metadata.getName();
    }
}
