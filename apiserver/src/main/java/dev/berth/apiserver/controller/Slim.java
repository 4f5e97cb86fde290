package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.Resources;
import java.util.List;
import java.util.function.Consumer;

/** What mirrors leave out: ten thousand pods are held by the store already. */
final class Slim {
    private static final List<String> UNREAD_POD_FIELDS = List.of(
            "affinity",
            "containers",
            "ephemeralContainers",
            "initContainers",
            "securityContext",
            "tolerations",
            "topologySpreadConstraints",
            "volumes");

    private Slim() {}

    static Consumer<ObjectNode> of(Resource resource) {
        return resource.equals(Resources.PODS) ? Slim::pod : Slim::withoutManagers;
    }

    static void toMetadata(ObjectNode object) {
        withoutManagers(object);
        object.retain("apiVersion", "kind", "metadata");
    }

    private static void withoutManagers(ObjectNode object) {
        if (object.get("metadata") instanceof ObjectNode metadata) metadata.remove("managedFields");
    }

    private static void pod(ObjectNode pod) {
        withoutManagers(pod);
        if (pod.get("spec") instanceof ObjectNode spec) spec.remove(UNREAD_POD_FIELDS);
    }
}
