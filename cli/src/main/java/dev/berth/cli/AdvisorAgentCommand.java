package dev.berth.cli;

import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
            "  berth advisor agent --observe --kubeconfig F        learns by itself from the pods that end",
            "  SCHEDULER_STORE_URL=postgres://berth:secret@db/advisor berth advisor agent     replicas that share what they learn"
        })
final class AdvisorAgentCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private AdvisorAgentFlags flags = new AdvisorAgentFlags();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var clock = InstantSource.system();
        var settings = flags.settings();
        var listening = web.settings(settings.host(), new Transport.PlainHttp());
        var address = listening.bindAddress();
        var parts = new ArrayList<AutoCloseable>();
        flags.open(
                settings,
                kube,
                address,
                listening.openTls(List.of("localhost", address), clock),
                new Metrics(),
                clock,
                spec.commandLine().getOut(),
                parts);
        Lifetime.untilStopped(spec.commandLine().getErr(), parts);
        return 0;
    }
}
