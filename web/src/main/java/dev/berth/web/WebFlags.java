package dev.berth.web;

import dev.berth.web.WebSettings.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that every command that serves has: mix it in, and ask for its {@link #settings}. */
public final class WebFlags {
    private static final String CERTIFICATE = "--tls-cert";
    private static final String KEY = "--tls-key";
    private static final String SELF_SIGNED = "--self-signed";
    private static final String INSECURE = "--insecure-http";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--bind-address", paramLabel = "ADDRESS", description = "Address to listen on.")
    private @Nullable String bindAddress;

    @Option(
            names = CERTIFICATE,
            paramLabel = "FILE",
            description = "Certificate chain (PEM); read again when it changes. Needs --tls-key.")
    private @Nullable Path certificate;

    @Option(names = KEY, paramLabel = "FILE", description = "Private key of the certificate (PEM).")
    private @Nullable Path key;

    @Option(
            names = SELF_SIGNED,
            description = "Make and renew a certificate authority and a certificate, without help from outside.")
    private boolean selfSigned;

    @Option(names = INSECURE, description = "Serve plain HTTP: only behind a proxy that adds TLS, or for trying out.")
    private boolean insecureHttp;

    /**
     * @param whenUnsaid what no flag at all means for this command
     * @throws ParameterException for flags that do not go together, and for files that are not there
     */
    public WebSettings settings(String defaultBindAddress, Transport whenUnsaid) {
        var address = bindAddress == null ? defaultBindAddress : bindAddress;
        if (address.isBlank()) {
            throw wrong("--bind-address must not be empty");
        }
        return new WebSettings(address, transport(whenUnsaid));
    }

    private Transport transport(Transport whenUnsaid) {
        boolean files = certificate != null || key != null;
        var said = Stream.of(
                        files ? CERTIFICATE + "/" + KEY : "",
                        selfSigned ? SELF_SIGNED : "",
                        insecureHttp ? INSECURE : "")
                .filter(flag -> !flag.isEmpty())
                .toList();
        if (said.size() > 1) {
            throw wrong(String.join(" and ", said) + " exclude each other: choose one");
        }
        if (files) {
            return files();
        }
        if (selfSigned) {
            return new Transport.OwnCertificate();
        }
        return insecureHttp ? new Transport.PlainHttp() : whenUnsaid;
    }

    private Transport.Files files() {
        if (certificate == null || key == null) {
            throw wrong("both " + CERTIFICATE + " and " + KEY + " are needed: "
                    + (certificate == null ? CERTIFICATE : KEY) + " is missing");
        }
        for (var file : List.of(certificate, key)) {
            if (!Files.isReadable(file)) {
                throw wrong((file.equals(certificate) ? CERTIFICATE : KEY) + ": " + file
                        + (Files.exists(file) ? " cannot be read" : " does not exist"));
            }
        }
        return new Transport.Files(certificate, key);
    }

    private RuntimeException wrong(String message) {
        return command == null
                ? new IllegalArgumentException(message)
                : new ParameterException(command.commandLine(), message);
    }
}
