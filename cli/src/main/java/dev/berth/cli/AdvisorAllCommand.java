package dev.berth.cli;

import dev.berth.advisor.ask.LocalScorer;
import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Both halves of the advisor in one process. */
@Command(
        name = "all",
        description =
                "Run the agent and the webhook in one process: a question to the agent is a method call. The agent's own port is plain HTTP.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth advisor all --kubeconfig F --webhook-port 8443 --port 8080 --observe")
final class AdvisorAllCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private AdvisorAgentFlags agentFlags = new AdvisorAgentFlags();

    @Mixin
    private AdvisorWebhookFlags webhookFlags = new AdvisorWebhookFlags();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var clock = InstantSource.system();
        var metrics = new Metrics();
        var agentSettings = agentFlags.settings();
        var settings = web.settings(agentSettings.host(), DoorCertificates.whenUnsaid());
        var out = spec.commandLine().getOut();
        var parts = new ArrayList<AutoCloseable>();
        var agent = agentFlags.open(
                agentSettings, kube, settings.bindAddress(), Optional.empty(), metrics, clock, out, parts);
        webhookFlags.open(new LocalScorer(agent.agent()), kube, settings, metrics, clock, out, parts);
        Lifetime.untilStopped(spec.commandLine().getErr(), parts);
        return 0;
    }
}
