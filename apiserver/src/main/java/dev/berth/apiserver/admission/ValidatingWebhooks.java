package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls all validating webhooks that match at the same time; one refusal is enough. */
record ValidatingWebhooks(WebhookConfigurations configurations, WebhookMatcher matcher, WebhookClient client) {

    void validate(AdmissionAttributes attributes, @Nullable ObjectNode object, Consumer<String> warnings) {
        if (WebhookConfigurations.exempt(attributes)) return;
        List<Webhook> webhooks = configurations.webhooks(WebhookConfigurations.VALIDATING);
        if (webhooks.isEmpty()) return;
        List<Callable<List<String>>> calls = new ArrayList<>();
        for (Webhook hook : webhooks) {
            matcher.match(hook, attributes, object).ifPresent(invocation -> calls.add(() -> call(invocation, object)));
        }
        for (List<String> each : together(calls)) each.forEach(warnings);
    }

    private List<String> call(Invocation invocation, @Nullable ObjectNode object) {
        try {
            WebhookReply reply = client.call(invocation, object, false);
            if (!reply.allowed()) throw reply.refusal(invocation.hook().name());
            return reply.warnings();
        } catch (WebhookFailure failure) {
            client.failed(invocation.hook(), failure);
            return List.of();
        }
    }

    /** Every call ends by its own time-out, so that waiting for all of them does too. */
    private static List<List<String>> together(List<Callable<List<String>>> calls) {
        List<FutureTask<List<String>>> tasks =
                calls.stream().map(call -> new FutureTask<>(call)).toList();
        for (int i = 1; i < tasks.size(); i++) Thread.ofVirtual().start(tasks.get(i));
        if (!tasks.isEmpty()) tasks.getFirst().run();
        List<List<String>> results = new ArrayList<>();
        for (FutureTask<List<String>> task : tasks) results.add(result(task));
        return results;
    }

    private static List<String> result(FutureTask<List<String>> task) {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ApiException refusal) throw refusal;
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiException.internal("interrupted while webhooks were asked");
        }
    }
}
