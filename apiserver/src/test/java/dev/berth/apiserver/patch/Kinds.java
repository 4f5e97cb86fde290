package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schema;
import dev.berth.apiserver.kinds.Schemas;
import java.util.List;
import java.util.Set;

/** A few kinds with the schemas that Kubernetes publishes, and one of our own. */
final class Kinds {
    private static final Schemas SCHEMAS = Schemas.load();

    private Kinds() {}

    static ResourceType pods() {
        return type("", "Pod", "pods", SCHEMAS.named("io.k8s.api.core.v1.Pod"));
    }

    static ResourceType configMaps() {
        return type("", "ConfigMap", "configmaps", SCHEMAS.named("io.k8s.api.core.v1.ConfigMap"));
    }

    static ResourceType deployments() {
        return type("apps", "Deployment", "deployments", SCHEMAS.named("io.k8s.api.apps.v1.Deployment"));
    }

    static ResourceType services() {
        return type("", "Service", "services", SCHEMAS.named("io.k8s.api.core.v1.Service"));
    }

    /** As a custom resource definition makes one. */
    static ResourceType custom(JsonNode schema) {
        return type("example.com", "Widget", "widgets", new InlineSchema(schema));
    }

    private static ResourceType type(String group, String kind, String plural, Schema schema) {
        Set<String> subresources = kind.equals("ConfigMap") ? Set.of() : Set.of("status");
        return new ResourceType(
                group, "v1", kind, plural, kind, List.of(), List.of(), true, Set.of(), subresources, schema);
    }
}
