package dev.berth.pinner.webhook;

import dev.berth.web.admission.AdmissionReply;
import dev.berth.web.admission.AdmissionRoute;
import dev.berth.web.admission.MalformedReviewException;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import io.helidon.webserver.http.HttpRouting;

/** What the webhook serves: {@code /mutate}, and its own health. It needs no cluster. */
public final class PinnerWebhook {
    private final AdmissionRoute mutate;
    private final Health health = new Health();
    private final Metrics metrics;

    public PinnerWebhook(WebhookSettings settings, Metrics metrics) {
        this.metrics = metrics;
        var mutation = new Mutation(settings);
        this.mutate = AdmissionRoute.at(
                        "/mutate", AdmissionRoute.reviewCounter(metrics.registry(), "pinner"), mutation::answer)
                .whenMalformed(PinnerWebhook::letPass);
    }

    /** What is JSON and asks about no pod is let pass, as the published webhook does: it keeps nobody out. */
    private static AdmissionReply letPass(MalformedReviewException problem) {
        if (problem.isJson() && !problem.isEmpty()) {
            return AdmissionReply.allow();
        }
        throw AdmissionRoute.refusal(problem);
    }

    public Health health() {
        return health;
    }

    public void addTo(HttpRouting.Builder routes) {
        metrics.observe(routes);
        mutate.addTo(routes);
        health.addTo(routes);
        metrics.addTo(routes);
    }
}
