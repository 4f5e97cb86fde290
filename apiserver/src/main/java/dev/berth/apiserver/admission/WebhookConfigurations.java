package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;
import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The stored webhook configurations, read and compiled once per change; as a plugin, it refuses broken conditions. */
final class WebhookConfigurations implements Plugin {
    static final String GROUP = "admissionregistration.k8s.io";
    static final Resource MUTATING = new Resource(GROUP, "v1", "mutatingwebhookconfigurations");
    static final Resource VALIDATING = new Resource(GROUP, "v1", "validatingwebhookconfigurations");

    private record Read(String version, List<Webhook> webhooks) {}

    private final Lookup lookup;
    private final Map<String, Read> read = new ConcurrentHashMap<>();

    WebhookConfigurations(Lookup lookup) {
        this.lookup = lookup;
    }

    /** In the order of the configurations' names, then as listed. */
    List<Webhook> webhooks(Resource resource) {
        List<ObjectNode> stored = lookup.all(resource);
        if (stored.isEmpty()) return List.of();
        if (stored.size() == 1) return webhooks(resource, stored.getFirst());
        List<Webhook> webhooks = new ArrayList<>();
        for (ObjectNode each : stored) webhooks.addAll(webhooks(resource, each));
        return webhooks;
    }

    private List<Webhook> webhooks(Resource resource, ObjectNode configuration) {
        JsonNode metadata = configuration.path("metadata");
        String key = resource.plural() + "/" + metadata.path("name").asText();
        String version = metadata.path("uid").asText() + "@"
                + metadata.path("resourceVersion").asText();
        Read known = read.get(key);
        if (known != null && known.version().equals(version)) return known.webhooks();
        var fresh = new Read(version, Webhook.of(configuration));
        read.put(key, fresh);
        return fresh.webhooks();
    }

    @Override
    public void validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        boolean written = attributes.operation() == CREATE || attributes.operation() == UPDATE;
        boolean ours = attributes.concerns(GROUP, MUTATING.plural()) || attributes.concerns(GROUP, VALIDATING.plural());
        if (object == null || !written || !ours) return;
        List<FieldError> errors = new ArrayList<>();
        int index = 0;
        for (JsonNode hook : object.path("webhooks")) {
            errors.addAll(
                    MatchConditions.check(hook.path("matchConditions"), "webhooks[" + index++ + "].matchConditions"));
        }
        if (!errors.isEmpty()) throw ApiException.invalid(attributes.type(), attributes.nameIn(object), errors);
    }

    /** What configures admission is never sent to a webhook: a bad one could not be repaired otherwise. */
    static boolean exempt(AdmissionAttributes attributes) {
        if (!attributes.type().group().equals(GROUP)) return false;
        return switch (attributes.type().kind()) {
            case "ValidatingWebhookConfiguration",
                    "MutatingWebhookConfiguration",
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "MutatingAdmissionPolicy",
                    "MutatingAdmissionPolicyBinding" -> true;
            default -> false;
        };
    }
}
