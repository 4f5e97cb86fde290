package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.LabelSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One webhook of a stored configuration, read once.
 *
 * @param key tells it apart from all others within one request, also from one of the same name
 */
record Webhook(
        String key,
        String name,
        List<WebhookRule> rules,
        LabelSelector namespaceSelector,
        LabelSelector objectSelector,
        boolean equivalent,
        boolean ignoresFailure,
        boolean reinvokable,
        boolean safeOnDryRun,
        Duration timeout,
        List<String> reviewVersions,
        JsonNode clientConfig,
        MatchConditions conditions) {

    static List<Webhook> of(ObjectNode configuration) {
        String owner = configuration.path("metadata").path("name").asText();
        List<Webhook> webhooks = new ArrayList<>();
        for (JsonNode hook : configuration.path("webhooks")) {
            webhooks.add(of(owner + "/" + webhooks.size(), hook));
        }
        return List.copyOf(webhooks);
    }

    private static Webhook of(String key, JsonNode hook) {
        List<WebhookRule> rules = new ArrayList<>();
        for (JsonNode rule : hook.path("rules")) rules.add(WebhookRule.of(rule));
        String sideEffects = hook.path("sideEffects").asText();
        return new Webhook(
                key,
                hook.path("name").asText(),
                List.copyOf(rules),
                LabelSelector.of(hook.path("namespaceSelector")),
                LabelSelector.of(hook.path("objectSelector")),
                hook.path("matchPolicy").asText("Equivalent").equals("Equivalent"),
                hook.path("failurePolicy").asText("Fail").equals("Ignore"),
                hook.path("reinvocationPolicy").asText().equals("IfNeeded"),
                sideEffects.equals("None") || sideEffects.equals("NoneOnDryRun"),
                Duration.ofSeconds(hook.path("timeoutSeconds").asInt(10)),
                WebhookRule.texts(hook.path("admissionReviewVersions")),
                hook.path("clientConfig"),
                MatchConditions.of(hook.path("matchConditions")));
    }
}
