package dev.berth.cli;

import dev.berth.advisor.agent.Agent;
import dev.berth.advisor.agent.AgentRoutes;
import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.store.SqlStore;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.store.StoreException;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The advisor's agent as a service. */
@Command(
        name = "agent",
        description =
                "Advise which GPU suits a job (POST /v1/score), and learn from how long jobs took (POST /v1/observe). The variables SCHEDULER_* of the environment set it up.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth advisor agent",
            "  SCHEDULER_MODEL=bayes SCHEDULER_SQLITE_PATH=/data/scheduler.db berth advisor agent --port 9090",
            "  SCHEDULER_STORE_URL=postgres://berth:secret@db/advisor berth advisor agent     replicas that share what they learn"
        })
final class AdvisorAgentCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(AdvisorAgentCommand.class);

    @Mixin
    private WebFlags web = new WebFlags();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes a free one. Default: SCHEDULER_PORT, or 8080.")
    private @Nullable Integer port;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = settings();
        settings.warnings().forEach(warning -> LOG.warn("{}", warning));
        var clock = InstantSource.system();
        var listening = web.settings(settings.host(), new Transport.PlainHttp());
        var store = open(settings);
        var metrics = new Metrics();
        var agent = new Agent(settings, store, new SplittableRandom(), clock, metrics.registry());
        var server = HttpServer.start(List.of(new Listener(
                "agent",
                listening.bindAddress(),
                port == null ? settings.port() : port,
                listening.openTls(List.of("localhost", listening.bindAddress()), clock),
                Limits.DEFAULT,
                routes -> {
                    metrics.addTo(routes);
                    new AgentRoutes(agent).addTo(routes);
                },
                (_, message) -> AgentRoutes.detail(message))));
        var out = spec.commandLine().getOut();
        out.printf(
                "advisor agent  %s:%d (model %s)%n", listening.bindAddress(), server.port("agent"), settings.model());
        out.printf("database       %s%n", store.name());
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(store, agent, server));
        return 0;
    }

    private AgentSettings settings() {
        try {
            return AgentSettings.of(System.getenv());
        } catch (AgentSettings.BadSettingException bad) {
            throw new ParameterException(spec.commandLine(), bad.getMessage(), bad);
        }
    }

    private Store open(AgentSettings settings) {
        try {
            return SqlStore.open(settings.database());
        } catch (StoreException unusable) {
            throw new ParameterException(
                    spec.commandLine(), "SCHEDULER_SQLITE_PATH: " + unusable.getMessage(), unusable);
        }
    }
}
