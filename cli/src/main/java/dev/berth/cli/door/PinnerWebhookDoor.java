package dev.berth.cli.door;

import dev.berth.pinner.webhook.PinnerWebhook;
import dev.berth.pinner.webhook.WebhookSettings;
import dev.berth.web.HttpServer;
import dev.berth.web.health.Metrics;
import java.util.List;

/** The pinner's webhook. It needs no cluster. */
public final class PinnerWebhookDoor implements AutoCloseable {
    private static final String WEBHOOK = "webhook";

    private final Place place;
    private final HttpServer server;

    private PinnerWebhookDoor(Place place, HttpServer server) {
        this.place = place;
        this.server = server;
    }

    public static PinnerWebhookDoor open(WebhookSettings settings, Place place, Metrics metrics) {
        var webhook = new PinnerWebhook(settings, metrics);
        var server = HttpServer.start(List.of(place.listener(WEBHOOK, webhook::addTo)));
        metrics.shows(webhook.health().stopsWith(server));
        return new PinnerWebhookDoor(place, server);
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
    }
}
