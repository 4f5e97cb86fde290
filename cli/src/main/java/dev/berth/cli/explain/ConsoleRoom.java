package dev.berth.cli.explain;

import dev.berth.cli.up.Addresses;
import dev.berth.console.Beliefs;
import dev.berth.console.Console;
import dev.berth.console.Guard;
import dev.berth.kube.Cluster;
import dev.berth.kube.explain.Lookout;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import io.helidon.webserver.http.HttpRouting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The console with all that it needs to see, to be hung into a listener. */
public final class ConsoleRoom implements AutoCloseable {
    private final Lookout lookout;
    private final Console console;

    private ConsoleRoom(Lookout lookout, Console console) {
        this.lookout = lookout;
        this.console = console;
    }

    /** Begins to look; the connection stays its owner's. */
    public static ConsoleRoom open(
            Cluster cluster, Beliefs beliefs, Guard guard, Metrics metrics, InstantSource clock) {
        var lookout = Lookout.start(cluster, Advocates.all());
        var console = Console.start(lookout, beliefs, guard, clock);
        console.measure(metrics.registry());
        return new ConsoleRoom(lookout, console);
    }

    /**
     * Who may read on this address.
     *
     * @param prefix of the flags' names
     * @throws ParameterException if everybody could
     */
    public static Guard guard(
            CommandLine command,
            String address,
            String prefix,
            @Nullable Path tokenFile,
            @Nullable String proxyHeader) {
        if (tokenFile != null && !Files.isReadable(tokenFile)) {
            throw new ParameterException(command, "%stoken-file: %s cannot be read".formatted(prefix, tokenFile));
        }
        var guard = Guard.of(Optional.ofNullable(tokenFile), Optional.ofNullable(proxyHeader));
        if (guard.open() && !Addresses.isLoopback(address)) {
            throw new ParameterException(
                    command,
                    "on %s others can read the page: give %stoken-file or %sproxy-user-header"
                            .formatted(address, prefix, prefix));
        }
        return guard;
    }

    /** @param prefix where it hangs, such as {@code /console}; empty for the root */
    public void routes(HttpRouting.Builder routes, String prefix) {
        console.routes(routes, prefix);
    }

    Health health() {
        return new Health().ready("cluster", () -> Health.waiting(lookout.synced(), "cluster's objects"));
    }

    /** Ends what never ends by itself, so that a server can stop. */
    public void endStreams() {
        console.close();
    }

    @Override
    public void close() {
        console.close();
        lookout.close();
    }
}
