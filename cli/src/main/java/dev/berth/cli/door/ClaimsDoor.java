package dev.berth.cli.door;

import dev.berth.claims.scheduler.ClaimsScheduler;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.HttpServer;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;

/** The claims door's scheduler, with its health and metrics. */
public final class ClaimsDoor implements AutoCloseable {
    /** @param operations where health and metrics are served */
    public record Settings(ClaimsScheduler.Settings scheduler, LedgerFlags ledger, Place operations) {}

    private final ClaimsScheduler scheduler;
    private final Health health;
    private final HttpServer server;

    private ClaimsDoor(ClaimsScheduler scheduler, Health health, HttpServer server) {
        this.scheduler = scheduler;
        this.health = health;
        this.server = server;
    }

    public static ClaimsDoor open(Cluster cluster, Settings settings, Metrics metrics, InstantSource clock) {
        var scheduler = ClaimsScheduler.start(
                cluster,
                cards -> settings.ledger().open(cluster, cards),
                settings.scheduler(),
                metrics.registry(),
                clock);
        var health = new Health().ready("cluster", scheduler::notReady);
        return new ClaimsDoor(scheduler, health, Operations.start(settings.operations(), health, metrics));
    }

    public Health health() {
        return health;
    }

    public int port() {
        return server.port(Operations.LISTENER);
    }

    @Override
    public void close() {
        scheduler.close();
        server.close();
    }
}
