package dev.berth.cli.explain;

import dev.berth.console.Console;
import dev.berth.console.Guard;
import dev.berth.kube.Cluster;
import dev.berth.kube.explain.Lookout;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;

/** The console with all that it needs to see, on a port of its own. */
public final class ServedConsole implements AutoCloseable {
    private static final String NAME = "console";

    private final Lookout lookout;
    private final Console console;
    private final HttpServer server;

    private ServedConsole(Lookout lookout, Console console, HttpServer server) {
        this.lookout = lookout;
        this.console = console;
        this.server = server;
    }

    /** Begins to look and to serve; the connection stays its owner's. */
    public static ServedConsole start(
            Cluster cluster, WebSettings settings, int port, Guard guard, Metrics metrics, InstantSource clock) {
        var lookout = Lookout.start(cluster, Advocates.all());
        var console = Console.start(lookout, guard, clock);
        console.measure(metrics.registry());
        var health = new Health().ready("cluster", () -> Health.waiting(lookout.synced(), "cluster's objects"));
        var server = HttpServer.start(List.of(new Listener(
                NAME,
                settings.bindAddress(),
                port,
                settings.openTls(List.of("localhost", settings.bindAddress()), clock),
                Limits.DEFAULT,
                routes -> {
                    console.routes(routes, "");
                    health.addTo(routes);
                    routes.get("/metrics", guard.around(metrics::answer));
                })));
        metrics.shows(health.stopsWith(server));
        server.onDrain(console::close);
        return new ServedConsole(lookout, console, server);
    }

    /** For everybody on this machine. */
    public static ServedConsole onLoopback(Cluster cluster, int port, InstantSource clock) {
        var settings = new WebSettings("127.0.0.1", new WebSettings.Transport.PlainHttp());
        return start(cluster, settings, port, Guard.OPEN, new Metrics(), clock);
    }

    public int port() {
        return server.port(NAME);
    }

    @Override
    public void close() {
        server.close();
        console.close();
        lookout.close();
    }
}
