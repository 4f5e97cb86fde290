package dev.berth.cli.certificate;

import dev.berth.kube.Cluster;
import dev.berth.web.WebSettings;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.tls.CertificateFiles;
import dev.berth.web.tls.TlsSource;
import dev.berth.web.tls.TlsSource.ClientCertificates;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The flags of a door that the API server calls, as a picocli mixin beside WebFlags: where {@code --self-signed} keeps
 * its certificate, and which webhook configurations are told to trust it.
 */
public final class DoorCertificates {
    private static final String SERVICE = "--service";
    private static final String CLIENT_AUTHORITIES = "--client-ca";
    private static final Path MOUNTED_CERTIFICATE = Path.of("/certs/tls.crt");
    private static final Path MOUNTED_KEY = Path.of("/certs/tls.key");

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = SERVICE,
            paramLabel = "NAME",
            description =
                    "With --self-signed: the Service by which the API server calls this door. The certificate is"
                            + " made for it, kept in a Secret and shared by all replicas. Without it: in memory, for this machine.")
    private @Nullable String service;

    @Option(
            names = "--service-namespace",
            paramLabel = "NAMESPACE",
            description = "The Service's namespace (default: the one of the kubeconfig or of the pod).")
    private @Nullable String namespace;

    @Option(
            names = "--certificate-secret",
            paramLabel = "NAME",
            description = "The Secret that keeps the certificate (default: the Service's name and -tls).")
    private @Nullable String secret;

    @Option(
            names = "--mutating-webhook",
            paramLabel = "NAME",
            description = "MutatingWebhookConfigurations whose caBundle is kept up to date.")
    private List<String> mutating = List.of();

    @Option(
            names = "--validating-webhook",
            paramLabel = "NAME",
            description = "ValidatingWebhookConfigurations whose caBundle is kept up to date.")
    private List<String> validating = List.of();

    @Option(
            names = CLIENT_AUTHORITIES,
            paramLabel = "FILE",
            description =
                    "With --tls-cert: serve only callers with a client certificate of these authorities (PEM; read again when it changes), as the API server's"
                            + " admission configuration can give it one. Health and metrics stay open.")
    private @Nullable Path clientAuthorities;

    /** What no flag about certificates means: those that are mounted where the documents have them, else our own. */
    public static Transport whenUnsaid() {
        return Files.isReadable(MOUNTED_CERTIFICATE) && Files.isReadable(MOUNTED_KEY)
                ? new Transport.Files(MOUNTED_CERTIFICATE, MOUNTED_KEY)
                : new Transport.OwnCertificate();
    }

    /**
     * What a listener needs, and what is to be closed after it.
     *
     * @param tls empty for plain HTTP
     */
    public record Opened(Optional<TlsSource> tls, AutoCloseable keeper) {}

    /**
     * Opens the certificates that the flags ask for; returns when there is one to serve with.
     *
     * @throws ParameterException for flags that do not go together
     */
    public Opened open(WebSettings settings, Cluster cluster, InstantSource clock) throws InterruptedException {
        return open(settings, () -> cluster, clock);
    }

    /** The same for a door that needs no cluster but for its certificate. */
    public Opened open(WebSettings settings, Supplier<Cluster> connect, InstantSource clock)
            throws InterruptedException {
        check(settings);
        if (clientAuthorities != null && settings.transport() instanceof Transport.Files(var certificate, var key)) {
            var files = CertificateFiles.open(
                    certificate, key, clientAuthorities, ClientCertificates.NEEDED_TO_CALL, clock);
            return new Opened(Optional.of(files), () -> {});
        }
        if (service == null) {
            return new Opened(settings.openTls(hostsOfThisMachine(settings), clock), () -> {});
        }
        var cluster = connect.get();
        var kept = SelfManaged.start(
                cluster,
                new ServiceName(namespace == null ? cluster.namespace() : namespace, service),
                secret == null ? service + "-tls" : secret,
                new SelfManaged.Webhooks(mutating, validating),
                // Whoever judges the certificate is the API server.
                cluster.clock());
        return new Opened(Optional.of(kept.certificates()), kept);
    }

    private void check(WebSettings settings) {
        if (clientAuthorities != null && !(settings.transport() instanceof Transport.Files)) {
            throw wrong(CLIENT_AUTHORITIES + " needs --tls-cert and --tls-key");
        }
        if (clientAuthorities != null && !Files.isReadable(clientAuthorities)) {
            throw wrong("%s: %s cannot be read".formatted(CLIENT_AUTHORITIES, clientAuthorities));
        }
        boolean own = settings.transport() instanceof Transport.OwnCertificate;
        if (service != null && !own) {
            throw wrong(SERVICE + " needs --self-signed: a certificate in files is its owner's to keep");
        }
        boolean ofAService = namespace != null || secret != null || !mutating.isEmpty() || !validating.isEmpty();
        if (service == null && ofAService) {
            throw wrong(
                    "--service-namespace, --certificate-secret, --mutating-webhook and --validating-webhook need --self-signed and "
                            + SERVICE);
        }
    }

    private static List<String> hostsOfThisMachine(WebSettings settings) {
        return Stream.of("localhost", InetAddress.getLoopbackAddress().getHostAddress(), settings.bindAddress())
                .distinct()
                .toList();
    }

    private RuntimeException wrong(String message) {
        return command == null
                ? new IllegalArgumentException(message)
                : new ParameterException(command.commandLine(), message);
    }
}
