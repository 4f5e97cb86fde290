package dev.berth.cli;

import dev.berth.advisor.observer.HttpEar;
import dev.berth.advisor.observer.Observer;
import dev.berth.cli.door.Operations;
import dev.berth.cli.door.Place;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The advisor's observer as a service. */
@Command(
        name = "observer",
        description =
                "Watch the pods that got advice, measure how long they ran and beside whom, and tell the agent (POST /v1/observe). Without it, or --observe on the agent, nothing is learned.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth advisor observer --kubeconfig F --scheduler-url http://scheduler-agent:8080")
final class AdvisorObserverCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private AgentAddress agent = new AgentAddress();

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "8081",
            description = "Port of /healthz, /readyz and /metrics; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = web.settings("0.0.0.0", new Transport.PlainHttp());
        var metrics = new Metrics();
        var health = new Health();
        var ear = agent.open(HttpEar::new);
        var cluster = Cluster.connect(kube.settings());
        var clock = cluster.clock();
        var observer = Observer.start(cluster, ear, metrics.registry(), clock);
        health.ready("cluster", observer::problem);
        var place = new Place(
                settings.bindAddress(), port, settings.openTls(List.of("localhost", settings.bindAddress()), clock));
        var server = Operations.start(place, health, metrics);
        var out = spec.commandLine().getOut();
        out.printf("observer       tells %s%n", agent.address());
        out.printf("health         %s:%d%n", settings.bindAddress(), server.port(Operations.LISTENER));
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(cluster, ear, observer, server));
        return 0;
    }
}
