package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The embedded API server alone. */
@Command(
        name = "apiserver",
        description = "Run the embedded Kubernetes API server: in memory, in one process, on loopback.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth apiserver                           kubectl --kubeconfig kubeconfig get namespaces",
            "  berth apiserver --data-dir ./state        keeps its state over restarts",
            "  berth apiserver --port 0 --write-kubeconfig /tmp/kc"
        })
final class ApiServerCommand implements Callable<Integer> {
    @Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Where to listen (default: ${DEFAULT-VALUE}).")
    private String bindAddress = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "55441",
            description = "The port; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep the state here, over restarts and crashes; in memory without it.")
    private @Nullable Path dataDir;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            defaultValue = "kubeconfig",
            description = "Write a kubeconfig for this server (default: ./${DEFAULT-VALUE}).")
    private Path kubeconfig = Path.of("kubeconfig");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        ApiServer server = ApiServer.start(settings());
        new KubeconfigFile(kubeconfig).write(server.kubeconfig());
        var out = spec.commandLine().getOut();
        out.println("API server  " + server.url());
        out.println("kubeconfig  " + kubeconfig);
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(server));
        return 0;
    }

    private ApiServerSettings settings() {
        ApiServerSettings settings =
                ApiServerSettings.defaults().withBindAddress(bindAddress).withPort(port);
        return dataDir == null ? settings : settings.withDataDir(dataDir);
    }
}
