package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;
import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a webhook is called for a write, and as which version of the resource. */
record WebhookMatcher(Lookup lookup, Catalog catalog) {
    private static final Resource NAMESPACES = new Resource("", "v1", "namespaces");

    /** The version of the resource that the webhook is to be shown; empty when it is not called. */
    Optional<Invocation> match(Webhook hook, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        // The rules first: nearly all webhooks are none of this request's business, and this is the cheapest test.
        ResourceType shown = shownAs(hook, attributes);
        if (shown == null) return Optional.empty();
        if (!namespaceFits(hook, attributes, object) || !objectFits(hook, attributes, object)) return Optional.empty();
        var invocation = new Invocation(hook, shown, attributes);
        if (hook.conditions().isEmpty()) return Optional.of(invocation);
        return switch (hook.conditions().evaluate(invocation, object)) {
            case MatchConditions.Holds _ -> Optional.of(invocation);
            case MatchConditions.DoesNotHold _ -> Optional.empty();
            case MatchConditions.Failed(String why) -> {
                if (hook.ignoresFailure()) yield Optional.empty();
                throw ApiException.forbidden(attributes.type(), attributes.name(), why);
            }
        };
    }

    private @Nullable ResourceType shownAs(Webhook hook, AdmissionAttributes attributes) {
        ResourceType asked = attributes.type();
        for (WebhookRule rule : hook.rules()) if (rule.matches(attributes, asked)) return asked;
        if (!hook.equivalent()) return null;
        for (WebhookRule rule : hook.rules()) {
            if (rule.versions().contains("*")) continue;
            for (ResourceType other : catalog.all()) {
                boolean equivalent = other.storageKey().equals(asked.storageKey())
                        && !other.version().equals(asked.version());
                if (equivalent && rule.matches(attributes, other)) return other;
            }
        }
        return null;
    }

    private boolean namespaceFits(Webhook hook, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (hook.namespaceSelector().isEmpty()) return true;
        boolean isNamespace = attributes.concerns("", "namespaces");
        if (attributes.namespace().isEmpty() && !isNamespace) return true;
        boolean written = attributes.operation() == CREATE || attributes.operation() == UPDATE;
        if (isNamespace && attributes.subresource().isEmpty() && written) {
            return hook.namespaceSelector().matches(object == null ? MissingNode.getInstance() : object);
        }
        String name = isNamespace ? attributes.name() : attributes.namespace();
        JsonNode namespace = lookup.find(NAMESPACES, "", name).orElseThrow(() -> missing(name));
        return hook.namespaceSelector().matches(namespace);
    }

    private static boolean objectFits(Webhook hook, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (hook.objectSelector().isEmpty()) return true;
        return (object != null && hook.objectSelector().matches(object))
                || (attributes.old() != null && hook.objectSelector().matches(attributes.old()));
    }

    private static ApiException missing(String namespace) {
        var details = JsonNodeFactory.instance.objectNode();
        details.put("name", namespace).put("kind", "namespaces");
        return new ApiException(404, "NotFound", "namespaces \"%s\" not found".formatted(namespace), details);
    }
}
