package dev.berth.cli;

import dev.berth.claims.scheduler.ClaimsScheduler;
import dev.berth.cli.door.ClaimsDoor;
import dev.berth.cli.door.Place;
import dev.berth.core.policy.Listed;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Metrics;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The claims door's scheduler as a service. */
@Command(
        name = "scheduler",
        description =
                "Run a scheduler for pods with schedulerName: berth. It honours device claims, places pods without claims too, and gives devices back when pods end. Of several replicas one leads.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth claims scheduler --kubeconfig kubeconfig",
            "  berth claims scheduler --scheduler-name gpus --policy pack",
        })
final class ClaimsSchedulerCommand implements Callable<Integer> {
    private static final String ALL_ADDRESSES = "0.0.0.0";

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private LedgerFlags ledger = new LedgerFlags();

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "berth",
            description = "Place the pods that name this scheduler (default: ${DEFAULT-VALUE}).")
    private String schedulerName = "berth";

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "listed",
            converter = PolicyName.class,
            description = "Which of several good places is taken (default: ${DEFAULT-VALUE}).")
    private Policy policy = new Listed();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "10359",
            description = "Port of /healthz, /readyz and /metrics; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAME",
            defaultValue = "kube-system",
            description = "Where the Lease of the leader is (default: ${DEFAULT-VALUE}).")
    private String leaseNamespace = "kube-system";

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            description = "The Lease of the leader. Default: the scheduler's name and -claims-scheduler.")
    private @Nullable String leaseName;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = settings();
        var listening = web.settings(ALL_ADDRESSES, new Transport.PlainHttp());
        var cluster = Cluster.connect(kube.settings());
        var clock = cluster.clock();
        var place = new Place(
                listening.bindAddress(), port, listening.openTls(List.of("localhost", listening.bindAddress()), clock));
        var door = ClaimsDoor.open(cluster, new ClaimsDoor.Settings(settings, ledger, place), new Metrics(), clock);
        var out = spec.commandLine().getOut();
        out.printf(
                "claims scheduler  %s (policy %s)%n",
                schedulerName, settings.policy().name());
        out.printf("operations        %s:%d%n", listening.bindAddress(), door.port());
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(cluster, door));
        return 0;
    }

    private ClaimsScheduler.Settings settings() {
        return new ClaimsScheduler.Settings(
                schedulerName,
                policy,
                // A restarted replica is another one, even under its old host name.
                "berth-%s".formatted(UUID.randomUUID()),
                leaseNamespace,
                leaseName == null ? schedulerName + "-claims-scheduler" : leaseName,
                LeaderElection.Timing.STANDARD);
    }
}
