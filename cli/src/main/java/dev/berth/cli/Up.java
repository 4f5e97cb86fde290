package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The product in one command. */
@Command(
        name = "up",
        description = "Start Berth with an API server and simulated GPU nodes of its own, to try it out.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth up                       kubectl --kubeconfig berth.kubeconfig get nodes",
            "  berth up --nodes 100 --gpus 4",
            "  berth up --data-dir ./state    keeps what was applied over restarts"
        })
final class Up implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    static final String KUBELET_VERSION = "v1.36.3";

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
            description = "Keep the API server's state here; in memory without it.")
    private @Nullable Path dataDir;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            defaultValue = "berth.kubeconfig",
            description = "Write a kubeconfig for the API server (default: ./${DEFAULT-VALUE}).")
    private Path kubeconfig = Path.of("berth.kubeconfig");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        if (nodes < 0 || nodes > 10_000) throw outOfRange("--nodes", nodes, 10_000);
        if (gpus < 0 || gpus > 64) throw outOfRange("--gpus", gpus, 64);
        ApiServer server = ApiServer.start(settings());
        Definitions.install(server.api());
        var kubelets = new SimulatedNodes(server.api(), InstantSource.system(), KUBELET_VERSION);
        kubelets.add("gpu-node", nodes, NodeShape.withGpus(gpus, "NVIDIA-A100-SXM4-80GB", 81_920));
        HttpServer console = HttpServer.start(List.of(new Listener(
                "console",
                LOOPBACK,
                consolePort,
                Optional.empty(),
                Limits.DEFAULT,
                new OverviewPage(server.api())::routes)));
        new KubeconfigFile(kubeconfig).write(server.kubeconfig());
        say(server, console);
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(server, kubelets, console));
        return 0;
    }

    private ApiServerSettings settings() {
        ApiServerSettings settings = ApiServerSettings.defaults().withPort(port);
        return dataDir == null ? settings : settings.withDataDir(dataDir);
    }

    private void say(ApiServer server, HttpServer console) {
        var out = spec.commandLine().getOut();
        out.printf("Berth is up: %d nodes with %d GPUs each.%n%n", nodes, gpus);
        out.printf("  console     http://%s:%d/%n", LOOPBACK, console.port("console"));
        out.printf("  API server  %s%n", server.url());
        out.printf("  kubeconfig  %s%n%n", kubeconfig);
        out.printf("Try: kubectl --kubeconfig %s get nodes%nCtrl-C stops it.%n", kubeconfig);
        out.flush();
    }

    private ParameterException outOfRange(String option, int value, int most) {
        return new ParameterException(spec.commandLine(), "%s takes 0 to %d, not %d".formatted(option, most, value));
    }
}
