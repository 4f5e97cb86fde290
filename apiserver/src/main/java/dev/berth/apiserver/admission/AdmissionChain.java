package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.rules.Rules;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Admission as a default kube-apiserver has it: the built-in plugins in their order, then the webhooks, and both once
 * more when a webhook changed the object.
 */
public final class AdmissionChain implements Admission, AutoCloseable {
    private final List<Plugin> plugins;
    private final WebhookClient client;
    private final MutatingWebhooks mutating;
    private final ValidatingWebhooks validating;

    public AdmissionChain(Lookup lookup, Catalog catalog, Rules rules) {
        var configurations = new WebhookConfigurations(lookup);
        var matcher = new WebhookMatcher(lookup, catalog);
        plugins = List.of(
                new NamespaceLifecycle(lookup),
                new TaintNodesByCondition(),
                new Priority(lookup),
                new DefaultTolerationSeconds(),
                configurations);
        client = new WebhookClient(new ServiceAddresses(lookup));
        mutating = new MutatingWebhooks(configurations, matcher, client, rules);
        validating = new ValidatingWebhooks(configurations, matcher, client);
    }

    @Override
    public @Nullable ObjectNode mutate(
            AdmissionAttributes attributes, @Nullable ObjectNode object, Consumer<String> warnings) {
        var rounds = mutating.rounds(attributes, warnings);
        for (Plugin plugin : plugins) plugin.admit(attributes, object);
        ObjectNode result = rounds.first(object);
        if (!rounds.needsSecond()) return result;
        for (Plugin plugin : plugins) plugin.admit(attributes, result);
        return rounds.second(result);
    }

    @Override
    public void validate(AdmissionAttributes attributes, @Nullable ObjectNode object, Consumer<String> warnings) {
        for (Plugin plugin : plugins) plugin.validate(attributes, object);
        validating.validate(attributes, object, warnings);
    }

    @Override
    public void close() {
        client.close();
    }
}
