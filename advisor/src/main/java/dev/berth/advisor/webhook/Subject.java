package dev.berth.advisor.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.cluster.GpuResources;
import dev.berth.advisor.cluster.Keys;
import dev.berth.web.admission.AdmissionRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The pod that a request is about: itself, or the template of a Job or of anything else that has one.
 *
 * @param object what is admitted, whole
 * @param metadata of the pod or template
 * @param spec of the pod or template
 */
record Subject(
        Place place, String kind, String namespace, String name, ObjectNode object, JsonNode metadata, JsonNode spec) {
    private static final List<String> CONTAINERS = List.of("containers", "initContainers");

    /** Empty for kinds without a pod in them. */
    static Optional<Subject> of(AdmissionRequest request) {
        return request.object().flatMap(object -> of(request, object));
    }

    private static Optional<Subject> of(AdmissionRequest request, ObjectNode object) {
        var kind = request.kind().kind().isEmpty()
                ? object.path("kind").asText("")
                : request.kind().kind();
        var part = kind.equals("Pod") ? object : object.path("spec").path("template");
        var spec = part.path("spec");
        if (!spec.isObject()) {
            return Optional.empty();
        }
        return Optional.of(new Subject(
                kind.equals("Pod") ? Place.POD : Place.TEMPLATE,
                kind,
                firstOf(
                        request.namespace(),
                        object.path("metadata").path("namespace").asText(""),
                        "default"),
                firstOf(
                        request.name(),
                        object.path("metadata").path("name").asText(""),
                        object.path("metadata").path("generateName").asText("")),
                object,
                part.path("metadata"),
                spec));
    }

    private static String firstOf(String first, String second, String third) {
        if (!first.isEmpty()) {
            return first;
        }
        return second.isEmpty() ? third : second;
    }

    /** The pod's own annotation, or the one of what its template is in. */
    Optional<String> annotation(String key) {
        return ownAnnotation(key)
                .or(() -> text(object.path("metadata").path("annotations").path(key)));
    }

    Optional<String> ownAnnotation(String key) {
        return text(metadata.path("annotations").path(key));
    }

    /** The kind of job; without it advice is not asked for. */
    Optional<String> jobType() {
        return annotation(Keys.JOB_TYPE).filter(type -> !type.equals(Keys.UNKNOWN));
    }

    /** Whether the advice was given: the pods of a Job that has it, or a second pass of the API server. */
    boolean decided() {
        return ownAnnotation(Keys.DECIDED_AT).isPresent();
    }

    /** Whether it asks for a GPU, by a resource or by a claim. */
    boolean wantsGpu() {
        return !spec.path("resourceClaims").isEmpty()
                || CONTAINERS.stream().anyMatch(list -> anyWantsGpu(spec.path(list)));
    }

    private static boolean anyWantsGpu(JsonNode containers) {
        for (var container : containers) {
            var resources = container.path("resources");
            if (namesGpu(resources.path("requests")) || namesGpu(resources.path("limits"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean namesGpu(JsonNode amounts) {
        for (var amount : amounts.properties()) {
            if (GpuResources.isGpu(amount.getKey())
                    && !amount.getValue().asText("0").equals("0")) {
                return true;
            }
        }
        return false;
    }

    /** As the log calls it. */
    String words() {
        return !place.template()
                ? "pod %s/%s".formatted(namespace, name)
                : "pod template of %s %s/%s".formatted(kind.toLowerCase(Locale.ROOT), namespace, name);
    }

    private static Optional<String> text(JsonNode node) {
        return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
    }
}
