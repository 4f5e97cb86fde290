package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.patch.JsonPatch;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.status.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls the mutating webhooks one after the other, and again those that asked for it when a later one changed more. */
record MutatingWebhooks(
        WebhookConfigurations configurations, WebhookMatcher matcher, WebhookClient client, Rules rules) {

    Rounds rounds(AdmissionAttributes attributes, Consumer<String> warnings) {
        List<Webhook> webhooks = WebhookConfigurations.exempt(attributes)
                ? List.of()
                : configurations.webhooks(WebhookConfigurations.MUTATING);
        return new Rounds(webhooks, attributes, warnings);
    }

    /** One write's way through the webhooks: a first round, and a second one if anything changed in the first. */
    final class Rounds {
        private final List<Webhook> webhooks;
        private final AdmissionAttributes attributes;
        private final Consumer<String> warnings;
        private final Set<String> invoked = new HashSet<>();
        private final Set<String> again = new HashSet<>();
        private boolean changed;
        private @Nullable ObjectNode afterFirst;

        private Rounds(List<Webhook> webhooks, AdmissionAttributes attributes, Consumer<String> warnings) {
            this.webhooks = webhooks;
            this.attributes = attributes;
            this.warnings = warnings;
        }

        @Nullable
        ObjectNode first(@Nullable ObjectNode object) {
            ObjectNode result = object;
            for (Webhook hook : webhooks) {
                var invocation = matcher.match(hook, attributes, result);
                if (invocation.isPresent()) result = call(invocation.get(), result);
            }
            if (changed && result != null) afterFirst = result.deepCopy();
            return result;
        }

        boolean needsSecond() {
            return changed;
        }

        @Nullable
        ObjectNode second(@Nullable ObjectNode object) {
            // The built-in plugins ran in between: what they changed is news to every webhook that wants to know.
            if (!Objects.equals(afterFirst, object)) again.addAll(invoked);
            ObjectNode result = object;
            for (Webhook hook : webhooks) {
                if (!again.contains(hook.key())) continue;
                var invocation = matcher.match(hook, attributes, result);
                if (invocation.isPresent()) result = call(invocation.get(), result);
            }
            return result;
        }

        private @Nullable ObjectNode call(Invocation invocation, @Nullable ObjectNode object) {
            Webhook hook = invocation.hook();
            ObjectNode result = object;
            try {
                WebhookReply reply = client.call(invocation, object, true);
                reply.warnings().forEach(warnings);
                if (!reply.allowed()) throw reply.refusal(hook.name());
                if (!reply.patch().isEmpty()) result = patched(invocation, object, reply);
            } catch (WebhookFailure failure) {
                client.failed(hook, failure);
            }
            if (hook.reinvokable()) invoked.add(hook.key());
            return result;
        }

        private ObjectNode patched(Invocation invocation, @Nullable ObjectNode object, WebhookReply reply) {
            if (object == null) {
                throw ApiException.internal(
                        "admission webhook \"%s\" attempted to modify the object, which is not supported for this operation"
                                .formatted(invocation.hook().name()));
            }
            ObjectNode result;
            try {
                result = JsonPatch.applyOperations((ObjectNode) invocation.shown(object), reply.patch());
            } catch (JsonPatch.DoesNotApply broken) {
                // Not a failure to call: Kubernetes does not let failurePolicy: Ignore cover this one.
                throw ApiException.internal(String.valueOf(broken.getMessage()));
            }
            if (!invocation.shownAs().equals(attributes.type())) {
                result.put("apiVersion", attributes.type().apiVersion());
            }
            if (!result.equals(object)) {
                changed = true;
                again.addAll(invoked);
                invoked.clear();
            }
            if (attributes.subresource().isEmpty() || attributes.subresource().equals("status")) {
                rules.of(attributes.type()).applyDefaults(result);
            }
            return result;
        }
    }
}
