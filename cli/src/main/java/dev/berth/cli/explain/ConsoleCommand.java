package dev.berth.cli.explain;

import dev.berth.cli.Lifetime;
import dev.berth.console.Beliefs;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Metrics;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the page alone. */
@Command(
        name = "console",
        description =
                "Serve a page that shows a cluster's GPUs, who holds them, what waits and why. It reads and never writes.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth console --kubeconfig F --port 8090",
            "  berth console --advisor-url http://scheduler-agent.scheduler:8080/",
            "  berth console --bind-address 0.0.0.0 --self-signed --token-file token",
            "  berth console --bind-address 0.0.0.0 --insecure-http --proxy-user-header X-Forwarded-User"
        })
public final class ConsoleCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8090",
            description = "The page's port; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Readers must show the token in this file as a bearer token; the page asks for it.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--proxy-user-header",
            paramLabel = "NAME",
            description =
                    "Take requests in which a proxy has named the reader in this header. Only where nobody reaches the console but through that proxy.")
    private @Nullable String proxyHeader;

    @Option(
            names = "--advisor-url",
            paramLabel = "URL",
            description = "Where the advisor's agent is, to show what it believes.")
    private @Nullable URI advisor;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var settings = web.settings(LOOPBACK, new WebSettings.Transport.PlainHttp());
        var guard = ConsoleRoom.guard(spec.commandLine(), settings.bindAddress(), "--", tokenFile, proxyHeader);
        var beliefs = beliefs();
        var cluster = Cluster.connect(kube.settings());
        var console =
                ServedConsole.start(cluster, beliefs, settings, port, guard, new Metrics(), InstantSource.system());
        var scheme = settings.transport() instanceof WebSettings.Transport.PlainHttp ? "http" : "https";
        var out = spec.commandLine().getOut();
        out.printf("The console is at %s://%s:%d/%n", scheme, settings.bindAddress(), console.port());
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(cluster, console));
        return 0;
    }

    private Beliefs beliefs() {
        if (advisor == null) {
            return Beliefs.NONE;
        }
        boolean http = "http".equals(advisor.getScheme()) || "https".equals(advisor.getScheme());
        if (!http || advisor.getHost() == null) {
            throw new ParameterException(
                    spec.commandLine(), "--advisor-url is http://HOST:PORT/, not '%s'".formatted(advisor));
        }
        return Beliefs.of(advisor);
    }
}
