package dev.berth.cli.explain;

import dev.berth.console.Beliefs;
import dev.berth.console.Guard;
import dev.berth.kube.Cluster;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;

/** The console on a port of its own. */
public final class ServedConsole implements AutoCloseable {
    private static final String NAME = "console";

    private final ConsoleRoom room;
    private final HttpServer server;

    private ServedConsole(ConsoleRoom room, HttpServer server) {
        this.room = room;
        this.server = server;
    }

    /** Begins to look and to serve; the connection stays its owner's. */
    public static ServedConsole start(
            Cluster cluster,
            Beliefs beliefs,
            WebSettings settings,
            int port,
            Guard guard,
            Metrics metrics,
            InstantSource clock) {
        var room = ConsoleRoom.open(cluster, beliefs, guard, metrics, clock);
        try {
            return new ServedConsole(room, serve(room, settings, port, guard, metrics, clock));
        } catch (RuntimeException failed) {
            room.close();
            throw failed;
        }
    }

    private static HttpServer serve(
            ConsoleRoom room, WebSettings settings, int port, Guard guard, Metrics metrics, InstantSource clock) {
        var health = room.health();
        var server = HttpServer.start(List.of(new Listener(
                NAME,
                settings.bindAddress(),
                port,
                settings.openTls(List.of("localhost", settings.bindAddress()), clock),
                Limits.DEFAULT,
                routes -> {
                    room.routes(routes, "");
                    health.addTo(routes);
                    routes.get("/metrics", guard.around(metrics::answer));
                })));
        metrics.shows(health.stopsWith(server));
        server.onDrain(room::endStreams);
        return server;
    }

    /** For everybody on this machine. */
    public static ServedConsole onLoopback(Cluster cluster, Beliefs beliefs, int port, InstantSource clock) {
        var settings = new WebSettings("127.0.0.1", new WebSettings.Transport.PlainHttp());
        return start(cluster, beliefs, settings, port, Guard.OPEN, new Metrics(), clock);
    }

    public int port() {
        return server.port(NAME);
    }

    @Override
    public void close() {
        server.close();
        room.close();
    }
}
