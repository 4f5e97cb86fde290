package dev.berth.cli;

import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.store.SqlStore;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.store.StoreException;
import dev.berth.cli.door.AdvisorAgentDoor;
import dev.berth.cli.door.Place;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.health.Metrics;
import dev.berth.web.tls.TlsSource;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags of the advisor's agent, and the agent that they and the environment describe, as a picocli mixin. */
final class AdvisorAgentFlags {
    private static final Logger LOG = LoggerFactory.getLogger(AdvisorAgentFlags.class);

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the agent; 0 takes a free one. Default: SCHEDULER_PORT, or 8080.")
    private @Nullable Integer port;

    @Option(
            names = "--observe",
            description =
                    "Watch the cluster's advised pods, and learn from how long they ran: the observer in the same process.")
    private boolean observe;

    /** The environment's word. */
    AgentSettings settings() {
        try {
            var settings = AgentSettings.of(System.getenv());
            settings.logLevel()
                    .filter(_ -> !isLogLevelGiven())
                    .ifPresent(level -> LogFormat.show(LogFormat.Level.valueOf(level.toUpperCase(Locale.ROOT))));
            settings.warnings().forEach(warning -> LOG.warn("{}", warning));
            return settings;
        } catch (AgentSettings.BadSettingException bad) {
            throw wrong(String.valueOf(bad.getMessage()), bad);
        }
    }

    private boolean isLogLevelGiven() {
        return command != null && command.commandLine().getParseResult().hasMatchedOption("--log-level");
    }

    /**
     * The agent that the settings describe, announced.
     *
     * @param kube opened only where the agent observes
     * @param parts gets what is to be closed, the last first
     */
    AdvisorAgentDoor open(
            AgentSettings settings,
            KubeFlags kube,
            String address,
            Optional<TlsSource> tls,
            Metrics metrics,
            InstantSource clock,
            PrintWriter out,
            List<AutoCloseable> parts) {
        var store = store(settings);
        var observed = observe ? Optional.of(Cluster.connect(kube.settings())) : Optional.<Cluster>empty();
        observed.ifPresent(parts::add);
        var place = new Place(address, port == null ? settings.port() : port, tls);
        var door = AdvisorAgentDoor.open(settings, store, observed, place, new SplittableRandom(), metrics, clock);
        parts.add(door);
        out.printf("advisor agent  %s:%d (model %s)%n", address, door.port(), settings.model());
        out.printf("database       %s%n", store.name());
        out.flush();
        return door;
    }

    private Store store(AgentSettings settings) {
        try {
            return SqlStore.open(settings.database());
        } catch (StoreException unusable) {
            throw wrong("SCHEDULER_SQLITE_PATH: " + unusable.getMessage(), unusable);
        }
    }

    private RuntimeException wrong(String message, RuntimeException cause) {
        return command == null
                ? new IllegalArgumentException(message, cause)
                : new ParameterException(command.commandLine(), message, cause);
    }
}
