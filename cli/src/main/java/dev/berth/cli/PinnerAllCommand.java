package dev.berth.cli;

import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.health.Metrics;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Both halves of the pinner in one process. */
@Command(
        name = "all",
        description = "Run the scheduler and the webhook in one process.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth pinner all --kubeconfig F --webhook-port 8443 --health-port 8080")
final class PinnerAllCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private PinnerName name = new PinnerName();

    @Mixin
    private PinnerSchedulerFlags schedulerFlags = new PinnerSchedulerFlags();

    @Mixin
    private PinnerWebhookFlags webhookFlags = new PinnerWebhookFlags();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = web.settings("0.0.0.0", DoorCertificates.whenUnsaid());
        var cluster = Cluster.connect(kube.settings());
        var clock = cluster.clock();
        var metrics = new Metrics();
        var scheduler = schedulerFlags.open(cluster, name.value(), settings.bindAddress(), metrics, clock);
        var webhook = webhookFlags.open(() -> cluster, name.value(), settings, metrics, clock);
        var out = spec.commandLine().getOut();
        out.printf("scheduler  %s%n", name.value());
        out.printf("health     http://%s:%d/health%n", settings.bindAddress(), scheduler.port());
        out.printf("webhook    %s%n", webhook.door().url());
        out.flush();
        Lifetime.untilStopped(
                spec.commandLine().getErr(), List.of(cluster, webhook.certificates(), webhook.door(), scheduler));
        return 0;
    }
}
