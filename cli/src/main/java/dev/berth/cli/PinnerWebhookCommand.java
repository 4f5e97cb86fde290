package dev.berth.cli;

import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The pinner's webhook as a service. */
@Command(
        name = "webhook",
        description =
                "Serve the mutating webhook that writes CUDA_VISIBLE_DEVICES into the containers of each replica. Without flags the certificate is /certs/tls.crt with /certs/tls.key, else one of its own.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth pinner webhook --tls-cert tls.crt --tls-key tls.key",
            "  berth pinner webhook --strict --webhook-port 9443"
        })
final class PinnerWebhookCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private PinnerName name = new PinnerName();

    @Mixin
    private PinnerWebhookFlags flags = new PinnerWebhookFlags();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = web.settings("0.0.0.0", DoorCertificates.whenUnsaid());
        var parts = new ArrayList<AutoCloseable>();
        var webhook = flags.open(() -> connect(parts), name.value(), settings, new Metrics(), InstantSource.system());
        parts.add(webhook.certificates());
        parts.add(webhook.door());
        var out = spec.commandLine().getOut();
        out.printf("webhook    %s%n", webhook.door().url());
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), parts);
        return 0;
    }

    private Cluster connect(List<AutoCloseable> parts) {
        var cluster = Cluster.connect(kube.settings());
        parts.add(cluster);
        return cluster;
    }
}
