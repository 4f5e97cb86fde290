package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;
import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.DELETE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.status.ApiException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nothing is written into a namespace that is missing, nothing new into one that ends, and three live for ever. */
record NamespaceLifecycle(Lookup lookup) implements Plugin {
    private static final Resource NAMESPACES = new Resource("", "v1", "namespaces");
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    @Override
    public void admit(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (attributes.concerns("", "namespaces")) {
            if (attributes.operation() == DELETE && IMMORTAL.contains(attributes.name())) {
                throw ApiException.forbidden(attributes.type(), attributes.name(), "this namespace may not be deleted");
            }
            return;
        }
        String namespace = attributes.namespace();
        if (namespace.isEmpty() || attributes.operation() == DELETE) return;
        if (attributes.concerns("authorization.k8s.io", "localsubjectaccessreviews")) return;
        ObjectNode found = lookup.find(NAMESPACES, "", namespace).orElseThrow(() -> missing(namespace));
        boolean ends = "Terminating".equals(found.path("status").path("phase").asText());
        if (attributes.operation() == CREATE && ends) throw terminating(attributes, object);
    }

    private static ApiException missing(String namespace) {
        var details = JsonNodeFactory.instance.objectNode();
        details.put("name", namespace).put("kind", "namespaces");
        return new ApiException(404, "NotFound", "namespaces \"%s\" not found".formatted(namespace), details);
    }

    private static ApiException terminating(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        String namespace = attributes.namespace();
        String name = attributes.nameIn(object);
        var details = JsonNodeFactory.instance.objectNode().put("name", name);
        if (!attributes.type().group().isEmpty())
            details.put("group", attributes.type().group());
        details.put("kind", attributes.type().plural());
        details.putArray("causes")
                .addObject()
                .put("reason", "NamespaceTerminating")
                .put("message", "namespace %s is being terminated".formatted(namespace))
                .put("field", "metadata.namespace");
        return new ApiException(
                403,
                "Forbidden",
                "%s \"%s\" is forbidden: unable to create new content in namespace %s because it is being terminated"
                        .formatted(attributes.type().qualifiedPlural(), name, namespace),
                details);
    }
}
