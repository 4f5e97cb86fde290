package dev.berth.cli.door;

import dev.berth.extender.Extender;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.debug.DebugRoutes;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;

/** The extender, and what it serves to schedulers. */
public final class ExtenderDoor implements AutoCloseable {
    private static final String EXTENDER = "extender";
    private static final String DEBUG = "debug";
    /** Five thousand nodes of five kilobytes, and as much again. */
    private static final long LARGEST_BODY = 64L << 20;

    /**
     * @param instance how events name this replica
     * @param version what {@code GET /version} says
     * @param debug where threads, heap and flight recordings are served, if anywhere
     */
    public record Settings(
            ExtenderSettings extender,
            LedgerFlags ledger,
            String instance,
            String version,
            Place place,
            Optional<Place> debug) {}

    private final Extender extender;
    private final HttpServer server;

    private ExtenderDoor(Extender extender, HttpServer server) {
        this.extender = extender;
        this.server = server;
    }

    public static ExtenderDoor open(Cluster cluster, Settings settings, Metrics metrics, InstantSource clock) {
        var extender = Extender.start(
                cluster,
                cards -> settings.ledger().open(cluster, cards),
                settings.extender(),
                settings.instance(),
                settings.version(),
                metrics,
                clock);
        var place = settings.place();
        var listeners = new ArrayList<Listener>();
        listeners.add(new Listener(
                EXTENDER,
                place.address(),
                place.port(),
                place.tls(),
                Limits.DEFAULT.withMaxBodyBytes(LARGEST_BODY),
                extender::routes));
        settings.debug().ifPresent(debug -> listeners.add(debug.listener(DEBUG, new DebugRoutes(metrics)::addTo)));
        var server = HttpServer.start(listeners);
        metrics.shows(extender.health().stopsWith(server));
        return new ExtenderDoor(extender, server);
    }

    public Health health() {
        return extender.health();
    }

    public int port() {
        return server.port(EXTENDER);
    }

    public int debugPort() {
        return server.port(DEBUG);
    }

    @Override
    public void close() {
        server.close();
        extender.close();
    }
}
