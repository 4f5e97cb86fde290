package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.tls.CertificateFiles;
import dev.berth.web.tls.SelfSigned;
import dev.berth.web.tls.TlsSource.ClientCertificates;
import java.io.IOException;
import java.nio.file.Files;
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

/** The embedded API server alone. */
@Command(
        name = "apiserver",
        description =
                "Run the embedded Kubernetes API server: in memory, in one process, on loopback, plain HTTP unless told otherwise.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth apiserver                      kubectl --kubeconfig kubeconfig get namespaces",
            "  berth apiserver --data-dir ./state   keeps its state over restarts",
            "  berth apiserver --self-signed --token-auth-file tokens.csv"
        })
final class ApiServerCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";

    @Mixin
    private WebFlags web = new WebFlags();

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
            names = "--token-auth-file",
            paramLabel = "FILE",
            description = "Ask for a bearer token of this file: token,user,uid,\"group1,group2\".")
    private @Nullable Path tokens;

    @Option(
            names = "--client-ca-file",
            paramLabel = "FILE",
            description = "Accept client certificates that these authorities signed. Needs --tls-cert and --tls-key.")
    private @Nullable Path clientAuthorities;

    @Option(names = "--no-controllers", description = "Leave workloads and garbage to a kube-controller-manager.")
    private boolean noControllers;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            defaultValue = "kubeconfig",
            description = "Write a kubeconfig for this server (default: ./${DEFAULT-VALUE}).")
    private Path kubeconfig = Path.of("kubeconfig");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException, IOException {
        ApiServer server = ApiServer.start(settings());
        Definitions.install(server.api());
        new KubeconfigFile(kubeconfig).write(server.kubeconfig());
        var out = spec.commandLine().getOut();
        out.println("API server  " + server.url());
        out.println("kubeconfig  " + kubeconfig);
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(server));
        return 0;
    }

    private ApiServerSettings settings() throws IOException {
        WebSettings flags = web.settings(LOOPBACK, new Transport.PlainHttp());
        ApiServerSettings settings = withTransport(
                ApiServerSettings.defaults()
                        .withBindAddress(flags.bindAddress())
                        .withPort(port),
                flags);
        if (dataDir != null) settings = settings.withDataDir(dataDir);
        if (tokens != null) settings = settings.withTokens(TokenFile.read(tokens));
        return noControllers ? settings.withoutControllers() : settings;
    }

    private ApiServerSettings withTransport(ApiServerSettings settings, WebSettings flags) throws IOException {
        Path authorities = clientAuthorities;
        if (authorities != null && !(flags.transport() instanceof Transport.Files)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--client-ca-file needs --tls-cert and --tls-key: without TLS nobody shows a certificate");
        }
        InstantSource clock = InstantSource.system();
        return switch (flags.transport()) {
            case Transport.PlainHttp() -> settings;
            case Transport.OwnCertificate() -> {
                var own = SelfSigned.create(List.of(LOOPBACK, "localhost", flags.bindAddress()), clock);
                yield settings.withTls(own, own.authorityPem());
            }
            case Transport.Files(var certificate, var key) ->
                settings.withTls(
                        authorities == null
                                ? CertificateFiles.open(certificate, key, clock)
                                : CertificateFiles.open(
                                        certificate, key, authorities, ClientCertificates.WANTED, clock),
                        Files.readString(certificate));
        };
    }
}
