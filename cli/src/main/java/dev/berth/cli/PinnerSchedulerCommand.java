package dev.berth.cli;

import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.health.Metrics;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The pinner's scheduler as a service. */
@Command(
        name = "scheduler",
        description =
                "Bind each replica to the node that its annotation gpu-scheduling-map names, once the node can take it. Of several replicas one leads.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth pinner scheduler --kubeconfig F",
            "  berth pinner scheduler --name my-scheduler --exclusive --no-leader-elect"
        })
final class PinnerSchedulerCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private PinnerName name = new PinnerName();

    @Mixin
    private PinnerSchedulerFlags flags = new PinnerSchedulerFlags();

    @Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "0.0.0.0",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String bindAddress = "0.0.0.0";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var cluster = Cluster.connect(kube.settings());
        var door = flags.open(cluster, name.value(), bindAddress, new Metrics(), cluster.clock());
        var out = spec.commandLine().getOut();
        out.printf("scheduler  %s%n", name.value());
        out.printf("health     http://%s:%d/health%n", bindAddress, door.port());
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(cluster, door));
        return 0;
    }
}
