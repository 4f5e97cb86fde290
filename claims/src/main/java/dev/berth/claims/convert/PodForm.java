package dev.berth.claims.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.Group;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.manifest.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a pod says what it claims: in fields of its spec, or in an annotation. Pod templates of workloads count too.
 */
public enum PodForm {
    /** For files and servers that know the fields. */
    FIELDS {
        @Override
        void write(ObjectNode pod, PodClaims claims) {
            ObjectNode spec = pod.withObjectProperty("spec");
            spec.set("deviceClaims", claims.json());
            for (String list : CONTAINER_LISTS) {
                for (JsonNode container : spec.path(list)) {
                    Set<String> used =
                            claims.containers().get(container.path("name").asText());
                    if (used != null && container instanceof ObjectNode object) {
                        used.forEach(name ->
                                object.withArrayProperty("devices").addObject().put("name", name));
                    }
                }
            }
        }
    },
    /** For servers that refuse unknown fields. */
    ANNOTATION {
        @Override
        void write(ObjectNode pod, PodClaims claims) {
            var content = JsonNodeFactory.instance.objectNode();
            content.set("deviceClaims", claims.json());
            for (String list : CONTAINER_LISTS) {
                for (JsonNode container : pod.path("spec").path(list)) {
                    String name = container.path("name").asText();
                    Set<String> used = claims.containers().get(name);
                    if (used != null) {
                        var entry = content.withArrayProperty("containers")
                                .addObject()
                                .put("name", name);
                        used.forEach(device ->
                                entry.withArrayProperty("devices").addObject().put("name", device));
                    }
                }
            }
            pod.withObjectProperty("metadata")
                    .withObjectProperty("annotations")
                    .put(Group.CLAIMS_ANNOTATION, content.toString());
        }
    };

    private static final List<String> CONTAINER_LISTS = List.of("containers", "initContainers");

    abstract void write(ObjectNode pod, PodClaims claims);

    /**
     * The object in this form; whatever is no pod and has no pod template stays as it is.
     *
     * @throws dev.berth.claims.manifest.ManifestException if the claims cannot be understood
     */
    public ObjectNode of(Manifest manifest) {
        ObjectNode body = manifest.body().deepCopy();
        pod(body)
                .ifPresent(pod -> PodClaims.read(manifest.within(manifest.kind(), pod.deepCopy()))
                        .ifPresent(claims -> {
                            strip(pod);
                            write(pod, claims);
                        }));
        return body;
    }

    /** The pod, or the pod template of a workload. */
    private static Optional<ObjectNode> pod(ObjectNode body) {
        if (body.path("kind").asText().equals("Pod")) {
            return Optional.of(body);
        }
        for (String path : List.of("/spec/template", "/spec/jobTemplate/spec/template", "/template")) {
            if (body.at(path) instanceof ObjectNode template
                    && template.path("spec").has("containers")) {
                return Optional.of(template);
            }
        }
        return Optional.empty();
    }

    /** A pod that says nothing about claims any more. */
    static ObjectNode stripped(ObjectNode pod) {
        ObjectNode copy = pod.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(ObjectNode pod) {
        if (pod.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(Group.CLAIMS_ANNOTATION);
            if (annotations.isEmpty() && pod.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove("annotations");
            }
        }
        ObjectNode spec = pod.withObjectProperty("spec");
        spec.remove("deviceClaims");
        for (String list : CONTAINER_LISTS) {
            for (JsonNode container : spec.path(list)) {
                if (container instanceof ObjectNode object) {
                    object.remove("devices");
                }
            }
        }
    }
}
