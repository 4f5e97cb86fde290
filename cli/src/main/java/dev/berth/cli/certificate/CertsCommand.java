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
            "  kubectl create secret tls door-tls --cert certs/tls.crt --key certs/tls.key"
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

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > 36_500) {
            throw new ParameterException(spec.commandLine(), "--days takes 1 to 36500, not " + days);
        }
        var bundle = issue(InstantSource.system());
        if (out == null) {
            var writer = spec.commandLine().getOut();
            bundle.entries().forEach((name, text) -> writer.printf("# %s%n%s", name, text));
            writer.flush();
            return 0;
        }
        Files.createDirectories(out);
        refuseToOverwrite(out, bundle.entries().keySet());
        for (var entry : bundle.entries().entrySet()) {
            write(out.resolve(entry.getKey()), entry.getValue());
        }
        spec.commandLine()
                .getOut()
                .printf("%s written to %s%n", String.join(", ", bundle.entries().keySet()), out);
        return 0;
    }

    private CertificateBundle issue(InstantSource clock) {
        var names = new ArrayList<String>();
        services.forEach(service -> names.addAll(new ServiceName(namespace, service).hosts()));
        names.addAll(hosts);
        var now = clock.instant();
        var life = Duration.ofDays(days);
        var authority = Authority.create("berth", now, life);
        var serving = authority.issueServing(names.stream().distinct().toList(), now, life);
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
        var mode = file.toString().endsWith(".key") ? "rw-------" : "rw-r--r--";
        try (var channel = Files.newByteChannel(
                file,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
