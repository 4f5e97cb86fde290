package dev.berth.cli;

import dev.berth.cli.explain.ServedConsole;
import dev.berth.cli.up.Addresses;
import dev.berth.cli.up.Door;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The product in one command. */
@Command(
        name = "up",
        description =
                "Start Berth with all its doors: on an API server and simulated GPU nodes of its own, or with --kubeconfig on yours.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth up                       kubectl --kubeconfig berth.kubeconfig apply -f examples/tour/",
            "  berth up --nodes 100 --gpus 4",
            "  berth up --data-dir ./state    keeps what was applied over restarts",
            "  berth up --doors none          an API server with nodes, and nothing else",
            "  berth up --kubeconfig F --webhook-address 10.0.0.7"
        })
final class Up implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String KUBELET_VERSION = "v1.36.3";
    private static final List<String> OF_ITS_OWN_CLUSTER = List.of("--nodes", "--gpus", "--port", "--write-kubeconfig");
    private static final List<String> OF_YOUR_CLUSTER =
            List.of("--context", "--webhook-address", "--default-scheduler");

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many simulated nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--gpus",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many GPUs on each (default: ${DEFAULT-VALUE}).")
    private int gpus;

    @Option(
            names = "--doors",
            paramLabel = "LIST",
            defaultValue = "all",
            split = ",",
            description =
                    "Which doors to open: all, none, or some of assigner, extender, advisor, pinner, claims, scheduler (default: ${DEFAULT-VALUE}).")
    private List<String> doors = List.of("all");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The API server's port; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--console-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The console's port; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int consolePort;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep the state of the API server and of the advisor here; in memory without it.")
    private @Nullable Path dataDir;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            defaultValue = "berth.kubeconfig",
            description = "Write a kubeconfig for the API server (default: ./${DEFAULT-VALUE}).")
    private Path written = Path.of("berth.kubeconfig");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "Open the doors on this cluster in place of one of its own. Installs Berth's CRDs if they are not there; webhooks are registered while it runs.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "With --kubeconfig: the context to use. Default: its current context.")
    private @Nullable String context;

    @Option(
            names = "--webhook-address",
            paramLabel = "ADDRESS",
            description =
                    "With --kubeconfig: where the API server reaches this machine. Default: 127.0.0.1, if the API server is there too.")
    private @Nullable String webhookAddress;

    @Option(
            names = "--default-scheduler",
            description = "With --kubeconfig: place the pods of default-scheduler, too, where no kube-scheduler does.")
    private boolean defaultScheduler;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        if (nodes < 0 || nodes > 10_000) throw outOfRange("--nodes", nodes, 10_000);
        if (gpus < 0 || gpus > 64) throw outOfRange("--gpus", gpus, 64);
        checkWhose();
        try (var lifetime = Lifetime.begin(spec.commandLine().getErr())) {
            var up = lifetime.open(() -> kubeconfig == null ? onOwnCluster() : onClusterOf(kubeconfig));
            var console = lifetime.open(() ->
                    ServedConsole.onLoopback(up.cluster(), up.doors().beliefs(), consolePort, InstantSource.system()));
            if (!up.doors().awaitReady(PATIENCE)) {
                throw new IllegalStateException(
                        "the doors did not get to know the cluster within %d s".formatted(PATIENCE.toSeconds()));
            }
            say(up, console);
            lifetime.untilStopped();
        }
        return 0;
    }

    /** What would be ignored is said. */
    private void checkWhose() {
        boolean own = kubeconfig == null;
        var given = spec.commandLine().getParseResult();
        for (var option : own ? OF_YOUR_CLUSTER : OF_ITS_OWN_CLUSTER) {
            if (given.hasMatchedOption(option)) {
                throw new ParameterException(
                        spec.commandLine(),
                        own
                                ? option + " is about a cluster of yours: give it with --kubeconfig"
                                : option + " is about a cluster of berth's own, not for --kubeconfig");
            }
        }
    }

    private RunningUp onOwnCluster() {
        var wanted = doors();
        var folder = Optional.ofNullable(dataDir);
        var clock = InstantSource.system();
        var own = OwnCluster.start(new OwnCluster.Settings(port, folder, nodes, gpus, !wanted.isEmpty()), clock);
        new KubeconfigFile(written).write(own.kubeconfig());
        return RunningUp.on(own, new RunningUp.Opening(wanted, true, LOOPBACK, folder), clock);
    }

    private RunningUp onClusterOf(Path file) {
        var wanted = doors();
        var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(file), Optional.ofNullable(context)));
        var opening = new RunningUp.Opening(
                wanted, defaultScheduler, webhookHost(cluster, wanted), Optional.ofNullable(dataDir));
        return RunningUp.on(cluster, opening, cluster.clock());
    }

    private Set<Door> doors() {
        if (doors.equals(List.of("all"))) return EnumSet.allOf(Door.class);
        if (doors.equals(List.of("none"))) return EnumSet.noneOf(Door.class);
        var chosen = EnumSet.noneOf(Door.class);
        for (var name : doors) {
            chosen.add(Stream.of(Door.values())
                    .filter(door -> door.label().equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "--doors takes all, none, or some of %s, not '%s'"
                                    .formatted(
                                            Stream.of(Door.values())
                                                    .map(Door::label)
                                                    .collect(Collectors.joining(", ")),
                                            name))));
        }
        return chosen;
    }

    private String webhookHost(Cluster cluster, Set<Door> wanted) {
        if (webhookAddress != null) return webhookAddress;
        var server = String.valueOf(URI.create(cluster.address()).getHost());
        boolean calls = Stream.of(Door.ASSIGNER, Door.ADVISOR, Door.PINNER).anyMatch(wanted::contains);
        if (calls && !Addresses.isLoopback(server)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--webhook-address is needed: the API server at %s cannot reach %s of this machine"
                            .formatted(server, LOOPBACK));
        }
        return LOOPBACK;
    }

    private void say(RunningUp up, ServedConsole console) {
        var out = spec.commandLine().getOut();
        boolean own = kubeconfig == null;
        var file = own ? written : kubeconfig;
        var doors = up.doors().addresses();
        out.println(
                own
                        ? "Berth is up: %d nodes with %d GPUs each.".formatted(nodes, gpus)
                        : "Berth is up on your cluster.");
        out.println();
        out.printf("  console     http://%s:%d/%n", LOOPBACK, console.port());
        out.printf("  API server  %s%n", up.cluster().address().replaceFirst("/$", ""));
        out.printf("  kubeconfig  %s%n%n", file);
        if (!doors.isEmpty()) {
            var table = new TextTable("DOOR", "TAKES", "AT");
            doors.forEach((door, address) -> table.row(door.label(), door.takes(), address));
            table.print(out);
            out.println();
        }
        out.printf(
                "Try: kubectl --kubeconfig %s %s%nCtrl-C stops it.%n",
                file, own && !doors.isEmpty() ? "apply -f examples/tour/" : "get nodes");
        out.flush();
    }

    private ParameterException outOfRange(String option, int value, int most) {
        return new ParameterException(spec.commandLine(), "%s takes 0 to %d, not %d".formatted(option, most, value));
    }
}
