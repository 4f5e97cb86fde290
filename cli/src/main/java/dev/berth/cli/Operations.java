package dev.berth.cli;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;

/** The server of a service that only its operators talk to: health and metrics. */
final class Operations {
    private Operations() {}

    /** Not ready any more once it stops. */
    static HttpServer start(
            String name, WebSettings listening, int port, Health health, Metrics metrics, InstantSource clock) {
        var server = HttpServer.start(List.of(new Listener(
                name,
                listening.bindAddress(),
                port,
                listening.openTls(List.of("localhost", listening.bindAddress()), clock),
                Limits.DEFAULT,
                routes -> {
                    health.addTo(routes);
                    metrics.addTo(routes);
                })));
        health.stopsWith(server);
        return server;
    }
}
