package dev.berth.cli.door;

import dev.berth.web.HttpServer;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.util.List;

/** The server of a service that only its operators talk to: health and metrics. */
public final class Operations {
    public static final String LISTENER = "operations";

    private Operations() {}

    /** Not ready any more once it stops. */
    public static HttpServer start(Place place, Health health, Metrics metrics) {
        var server = HttpServer.start(List.of(place.listener(LISTENER, routes -> {
            health.addTo(routes);
            metrics.addTo(routes);
        })));
        metrics.shows(health.stopsWith(server));
        return server;
    }
}
