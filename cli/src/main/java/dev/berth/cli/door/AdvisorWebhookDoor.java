package dev.berth.cli.door;

import dev.berth.advisor.ask.Scorer;
import dev.berth.advisor.cluster.Surroundings;
import dev.berth.advisor.cluster.WatchedCluster;
import dev.berth.advisor.webhook.AdvisorWebhook;
import dev.berth.advisor.webhook.WebhookSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.event.Events;
import dev.berth.web.HttpServer;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The advisor's webhook, and what it watches to know the cluster's GPUs. */
public final class AdvisorWebhookDoor implements AutoCloseable {
    private static final String WEBHOOK = "webhook";

    private final Parts parts;
    private final Surroundings surroundings;
    private final Place place;
    private final HttpServer server;

    private AdvisorWebhookDoor(Parts parts, Surroundings surroundings, Place place, HttpServer server) {
        this.parts = parts;
        this.surroundings = surroundings;
        this.place = place;
        this.server = server;
    }

    /**
     * @param scorer closed with the door
     * @param cluster empty where there is none to be found, for trying out
     * @param instance how events name this replica
     */
    public static AdvisorWebhookDoor open(
            WebhookSettings settings,
            Scorer scorer,
            Optional<Cluster> cluster,
            String instance,
            Place place,
            Metrics metrics,
            InstantSource clock) {
        var parts = new Parts();
        parts.keep(scorer);
        var surroundings = cluster.<Surroundings>map(known -> parts.keep(WatchedCluster.start(known)))
                .orElse(Surroundings.NONE);
        var events = cluster.map(
                known -> parts.keep(Events.start(known, "berth.dev/advisor", instance, clock, Events.Limits.STANDARD)));
        var webhook = new AdvisorWebhook(settings, scorer, surroundings, events, metrics, clock);
        var server = HttpServer.start(List.of(place.listener(WEBHOOK, webhook::addTo)));
        webhook.stopsWith(server);
        var door = new AdvisorWebhookDoor(parts, surroundings, place, server);
        metrics.shows(door.health());
        return door;
    }

    public Health health() {
        return new Health().ready("cluster", surroundings::problem);
    }

    public int port() {
        return server.port(WEBHOOK);
    }

    /** Where the API server finds it, as a person would write it. */
    public String url() {
        return place.url(port(), "/mutate");
    }

    @Override
    public void close() {
        server.close();
        parts.close();
    }
}
