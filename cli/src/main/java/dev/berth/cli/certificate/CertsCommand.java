package dev.berth.cli.certificate;

import dev.berth.web.tls.Authority;
import dev.berth.web.tls.CertificateBundle;
import dev.berth.web.tls.Pem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Certificates for who wants to keep them by hand. */
@Command(
        name = "certs",
        description = "Make a certificate authority and a serving certificate for Services of a cluster.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth certs --service gpu-scheduler --namespace kube-system --out ./certs",
            "  kubectl create secret tls door-tls --cert certs/tls.crt --key certs/tls.key",
            "  berth certs --service gpu-scheduler-webhook --namespace gpu-scheduler-system --secret gpu-scheduler-webhook-tls --out ./certs"
        })
public final class CertsCommand implements Callable<Integer> {
    @Option(
            names = "--service",
            paramLabel = "NAME",
            required = true,
            description = "The Services that the certificate is for.")
    private List<String> services = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "default",
            description = "Their namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(names = "--host", paramLabel = "NAME", description = "More host names or addresses.")
    private List<String> hosts = List.of();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "How long both are valid (default: ${DEFAULT-VALUE}).")
    private int days;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write ca.crt, ca.key, tls.crt and tls.key into this directory; without it they are printed.")
    private @Nullable Path out;

    @Option(
            names = "--secret",
            paramLabel = "NAME",
            description =
                    "With --out: also write webhook-tls-secret.yaml, with which kubectl makes the Secret of this name and its namespace, and csr.conf, with which openssl asks another authority for such a certificate.")
    private @Nullable String secret;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > 36_500) {
            throw new ParameterException(spec.commandLine(), "--days takes 1 to 36500, not " + days);
        }
        if (secret != null && out == null) {
            throw new ParameterException(spec.commandLine(), "--secret needs --out");
        }
        var names = names();
        var bundle = issue(names, InstantSource.system());
        var writer = spec.commandLine().getOut();
        if (out == null) {
            bundle.entries().forEach((name, text) -> writer.printf("# %s%n%s", name, text));
            writer.flush();
            return 0;
        }
        var files = new LinkedHashMap<>(bundle.entries());
        if (secret != null) {
            files.put("csr.conf", SecretFiles.request(names));
            files.put(SecretFiles.MANIFEST, SecretFiles.manifest(namespace, secret, bundle));
        }
        Files.createDirectories(out);
        refuseToOverwrite(out, files.keySet());
        for (var entry : files.entrySet()) {
            write(out.resolve(entry.getKey()), entry.getValue());
        }
        writer.printf("%s written to %s%n", String.join(", ", files.keySet()), out);
        if (secret != null) {
            writer.printf("kubectl apply -f %s%n", out.resolve(SecretFiles.MANIFEST));
            writer.printf("CA bundle: %s%n", SecretFiles.base64(bundle.authorities()));
        }
        writer.flush();
        return 0;
    }

    private List<String> names() {
        var names = new ArrayList<String>();
        services.forEach(service -> names.addAll(new ServiceName(namespace, service).hosts()));
        names.addAll(hosts);
        return names.stream().distinct().toList();
    }

    private CertificateBundle issue(List<String> names, InstantSource clock) {
        var now = clock.instant();
        var life = Duration.ofDays(days);
        var authority = Authority.create("berth", now, life);
        var serving = authority.issueServing(names, now, life);
        return new CertificateBundle(
                Pem.text(authority.certificate()),
                Pem.text(authority.key()),
                Pem.text(serving.chain()),
                Pem.text(serving.key()));
    }

    private void refuseToOverwrite(Path directory, Set<String> names) {
        for (var name : names) {
            if (Files.exists(directory.resolve(name))) {
                throw new ParameterException(
                        spec.commandLine(),
                        directory.resolve(name)
                                + " exists: a key that is in use is not overwritten; name another --out");
            }
        }
    }

    /** A key is never, not even for a moment, readable by others. */
    private static void write(Path file, String text) throws IOException {
        boolean confidential = file.toString().endsWith(".key") || file.endsWith(SecretFiles.MANIFEST);
        var mode = confidential ? "rw-------" : "rw-r--r--";
        try (var channel = Files.newByteChannel(
                file,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
