package dev.berth.cli;

import dev.berth.advisor.agent.Agent;
import dev.berth.advisor.agent.AgentRoutes;
import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.observer.LocalEar;
import dev.berth.advisor.observer.Observer;
import dev.berth.advisor.store.SqlStore;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.store.StoreException;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import dev.berth.web.tls.TlsSource;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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

    /** The agent, what it serves, and what is to be closed after it, the last first. */
    record Running(Agent agent, AgentSettings settings, Store store, List<AutoCloseable> parts) {
        Listener listener(String address, int port, Optional<TlsSource> tls, Metrics metrics) {
            return new Listener(
                    "agent",
                    address,
                    port,
                    tls,
                    Limits.DEFAULT,
                    routes -> {
                        metrics.addTo(routes);
                        new AgentRoutes(agent).addTo(routes);
                    },
                    AgentRoutes.ERRORS);
        }

        void announce(PrintWriter out, String address, int port) {
            out.printf("advisor agent  %s:%d (model %s)%n", address, port, settings.model());
            out.printf("database       %s%n", store.name());
            out.flush();
        }
    }

    /** @param kube opened only where the agent observes */
    Running start(KubeFlags kube, Metrics metrics, InstantSource clock) {
        var settings = settings();
        settings.warnings().forEach(warning -> LOG.warn("{}", warning));
        var store = open(settings);
        var agent = new Agent(settings, store, new SplittableRandom(), clock, metrics.registry());
        var parts = new ArrayList<AutoCloseable>(List.of(store, agent));
        if (observe) {
            var cluster = Cluster.connect(kube.settings());
            parts.add(cluster);
            parts.add(Observer.start(cluster, new LocalEar(agent), metrics.registry(), clock));
        }
        return new Running(agent, settings, store, List.copyOf(parts));
    }

    int port(AgentSettings settings) {
        return port == null ? settings.port() : port;
    }

    private AgentSettings settings() {
        try {
            return AgentSettings.of(System.getenv());
        } catch (AgentSettings.BadSettingException bad) {
            throw wrong(String.valueOf(bad.getMessage()), bad);
        }
    }

    private Store open(AgentSettings settings) {
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
