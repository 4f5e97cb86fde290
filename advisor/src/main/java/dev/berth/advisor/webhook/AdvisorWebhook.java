package dev.berth.advisor.webhook;

import dev.berth.advisor.ask.Scorer;
import dev.berth.advisor.cluster.Surroundings;
import dev.berth.kube.event.Events;
import dev.berth.web.HttpServer;
import dev.berth.web.admission.AdmissionReply;
import dev.berth.web.admission.AdmissionRoute;
import dev.berth.web.health.Metrics;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the webhook serves: {@code /mutate}, its health as the published one words it, and its metrics. */
public final class AdvisorWebhook {
    private final AdmissionRoute mutate;
    private final Scorer scorer;
    private final Surroundings surroundings;
    private final Metrics metrics;
    private volatile @Nullable HttpServer server;

    /** @param events told when there is no advice; empty without a cluster */
    public AdvisorWebhook(
            WebhookSettings settings,
            Scorer scorer,
            Surroundings surroundings,
            Optional<Events> events,
            Metrics metrics,
            InstantSource clock) {
        this.scorer = scorer;
        this.surroundings = surroundings;
        this.metrics = metrics;
        var mutation = new Mutation(
                settings,
                scorer,
                surroundings,
                new Unadvised(events, clock),
                new MutationMetrics(metrics.registry()),
                clock);
        this.mutate = AdmissionRoute.within(
                        "/mutate", AdmissionRoute.reviewCounter(metrics.registry(), "advisor"), mutation::answer)
                .whenMalformed(_ -> AdmissionReply.allow());
    }

    /** Not ready any more from the moment at which the server begins to stop. */
    public void stopsWith(HttpServer stopping) {
        server = stopping;
    }

    public void addTo(HttpRouting.Builder routes) {
        metrics.observe(routes);
        mutate.addTo(routes);
        routes.get("/healthz", (_, response) -> json(response, Status.OK_200, "{\"status\":\"healthy\"}"));
        routes.get("/readyz", this::ready);
        metrics.addTo(routes);
    }

    /** Ready without the agent, too: pods must be let through, and the namespace be told. */
    private void ready(ServerRequest request, ServerResponse response) {
        var running = server;
        if (running != null && running.draining()) {
            notReady(response, "the server is stopping");
        } else if (surroundings.problem().isPresent()) {
            notReady(response, surroundings.problem().orElse("the cluster is not known yet"));
        } else {
            json(
                    response,
                    Status.OK_200,
                    "{\"status\":\"ready\",\"scheduler\":\"%s\"}"
                            .formatted(scorer.connected() ? "connected" : "disconnected"));
        }
    }

    private static void notReady(ServerResponse response, String why) {
        json(response, Status.SERVICE_UNAVAILABLE_503, "{\"status\":\"not ready\",\"detail\":\"%s\"}".formatted(why));
    }

    private static void json(ServerResponse response, Status status, String body) {
        response.status(status);
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(body.getBytes(StandardCharsets.UTF_8));
    }
}
