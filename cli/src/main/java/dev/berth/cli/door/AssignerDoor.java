package dev.berth.cli.door;

import dev.berth.assigner.Assigner;
import dev.berth.assigner.AssignerSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.HttpServer;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import io.helidon.webserver.http.HttpRouting;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** The assigner: its webhook, its page, and the keeping of its reservations. */
public final class AssignerDoor implements AutoCloseable {
    private static final String WEBHOOK = "webhook";
    private static final String PAGE = "page";

    /** @param instance how events name this replica */
    public record Settings(AssignerSettings assigner, LedgerFlags ledger, String instance, Place webhook, Place page) {}

    private final Assigner assigner;
    private final HttpServer server;

    private AssignerDoor(Assigner assigner, HttpServer server) {
        this.assigner = assigner;
        this.server = server;
    }

    public static AssignerDoor open(Cluster cluster, Settings settings, Metrics metrics, InstantSource clock) {
        return open(cluster, settings, _ -> {}, metrics, clock);
    }

    /** @param beside what else the port of its page serves */
    public static AssignerDoor open(
            Cluster cluster,
            Settings settings,
            Consumer<HttpRouting.Builder> beside,
            Metrics metrics,
            InstantSource clock) {
        var assigner = Assigner.start(
                cluster,
                cards -> settings.ledger().open(cluster, cards),
                settings.assigner(),
                settings.instance(),
                metrics,
                clock);
        var server = HttpServer.start(List.of(
                settings.webhook().listener(WEBHOOK, assigner::apiRoutes),
                settings.page().listener(PAGE, routes -> {
                    beside.accept(routes);
                    assigner.uiRoutes(routes);
                })));
        server.onDrain(assigner::endStreams);
        metrics.shows(assigner.health().stopsWith(server));
        return new AssignerDoor(assigner, server);
    }

    public Health health() {
        return assigner.health();
    }

    /** Calls this when the door begins to close, to end what would go on for ever. */
    public void onDrain(Runnable hook) {
        server.onDrain(hook);
    }

    public int webhookPort() {
        return server.port(WEBHOOK);
    }

    public int pagePort() {
        return server.port(PAGE);
    }

    @Override
    public void close() {
        server.close();
        assigner.close();
    }
}
