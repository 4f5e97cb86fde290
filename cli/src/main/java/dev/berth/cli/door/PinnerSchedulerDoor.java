package dev.berth.cli.door;

import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.pinner.scheduler.HealthRoutes;
import dev.berth.pinner.scheduler.PinnerScheduler;
import dev.berth.web.HttpServer;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;

/** The pinner's scheduler, with its health and metrics. */
public final class PinnerSchedulerDoor implements AutoCloseable {
    private static final String HEALTH = "health";

    /** @param place where health and metrics are served */
    public record Settings(PinnerScheduler.Settings scheduler, LedgerFlags ledger, Place place) {}

    private final PinnerScheduler scheduler;
    private final Health health;
    private final HttpServer server;

    private PinnerSchedulerDoor(PinnerScheduler scheduler, Health health, HttpServer server) {
        this.scheduler = scheduler;
        this.health = health;
        this.server = server;
    }

    public static PinnerSchedulerDoor open(Cluster cluster, Settings settings, Metrics metrics, InstantSource clock) {
        var scheduler = PinnerScheduler.start(
                cluster,
                cards -> settings.ledger().open(cluster, cards),
                settings.scheduler(),
                metrics.registry(),
                clock);
        var health = new Health().ready("scheduler", scheduler::notReady);
        var document = new HealthRoutes(scheduler::notReady);
        var server = HttpServer.start(List.of(settings.place().listener(HEALTH, routes -> {
            metrics.observe(routes);
            document.addTo(routes);
            health.addTo(routes);
            metrics.addTo(routes);
        })));
        metrics.shows(health.stopsWith(server));
        return new PinnerSchedulerDoor(scheduler, health, server);
    }

    public Health health() {
        return health;
    }

    public int port() {
        return server.port(HEALTH);
    }

    @Override
    public void close() {
        scheduler.close();
        server.close();
    }
}
