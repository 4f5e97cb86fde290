package dev.berth.cli;

import dev.berth.advisor.ask.HttpScorer;
import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The advisor's webhook as a service. */
@Command(
        name = "webhook",
        description =
                "Serve the mutating webhook that writes the agent's advice into pods and Jobs: priority class, node selector, toleration, anti-affinity. Without flags the certificate is /certs/tls.crt with /certs/tls.key, else one of its own.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth advisor webhook --scheduler-url http://scheduler-agent:8080",
            "  SCHEDULER_URL=http://127.0.0.1:8080 TIMEOUT_SECONDS=2 berth advisor webhook --insecure-http"
        })
final class AdvisorWebhookCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private AdvisorWebhookFlags flags = new AdvisorWebhookFlags();

    @Mixin
    private AgentAddress agent = new AgentAddress();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = web.settings("0.0.0.0", DoorCertificates.whenUnsaid());
        var parts = new ArrayList<AutoCloseable>();
        flags.open(
                agent.open(HttpScorer::new),
                kube,
                settings,
                new Metrics(),
                InstantSource.system(),
                spec.commandLine().getOut(),
                parts);
        Lifetime.untilStopped(spec.commandLine().getErr(), parts);
        return 0;
    }
}
