package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.Resources;
import java.util.Map;
import java.util.Set;

/** What mirrors leave out: ten thousand pods are held by the store already. */
enum Slim {
    /** Everything but who manages which field. */
    WHOLE {
        @Override
        boolean reads(String parent, String field) {
            return !isManagers(parent, field);
        }
    },
    POD {
        @Override
        boolean reads(String parent, String field) {
            return !isManagers(parent, field) && !(parent.equals("spec") && UNREAD_POD_FIELDS.contains(field));
        }
    },
    METADATA {
        @Override
        boolean reads(String parent, String field) {
            return parent.isEmpty() ? METADATA_FIELDS.contains(field) : !isManagers(parent, field);
        }
    };

    private static final Set<String> METADATA_FIELDS = Set.of("apiVersion", "kind", "metadata");
    private static final Set<String> UNREAD_POD_FIELDS = Set.of(
            "affinity",
            "containers",
            "ephemeralContainers",
            "initContainers",
            "securityContext",
            "tolerations",
            "topologySpreadConstraints",
            "volumes");

    static Slim of(Resource resource) {
        return resource.equals(Resources.PODS) ? POD : WHOLE;
    }

    /** @param parent empty for the object's own fields */
    abstract boolean reads(String parent, String field);

    private static boolean isManagers(String parent, String field) {
        return parent.equals("metadata") && field.equals("managedFields");
    }

    /** Drops from the object what nobody reads. */
    void accept(ObjectNode object) {
        object.properties().removeIf(field -> !reads("", field.getKey()));
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getValue() instanceof ObjectNode child) {
                child.properties().removeIf(each -> !reads(field.getKey(), each.getKey()));
            }
        }
    }
}
