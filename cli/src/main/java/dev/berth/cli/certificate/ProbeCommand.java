package dev.berth.cli.certificate;

import dev.berth.web.WholeAnswer;
import dev.berth.web.tls.Pem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code helm test} runs: the image has no shell and no curl. */
@Command(
        name = "probe",
        description = "Ask a door, and succeed if it answers 200.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth probe https://gpu-device-assigner.gpu.svc/readyz --ca-file ca.crt")
public final class ProbeCommand implements Callable<Integer> {
    private static final int LONGEST_ANSWER = 16 << 20;

    @Parameters(paramLabel = "URL", description = "What to ask.")
    private URI url = URI.create("");

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Trust only the certificates in this file (PEM) and what they signed.")
    private @Nullable Path authorities;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to wait for the answer (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (url.getHost() == null || seconds < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    seconds < 1 ? "--timeout takes 1 or more, not " + seconds : "not an http or https URL: " + url);
        }
        var limit = Duration.ofSeconds(seconds);
        var client = client(limit);
        try {
            var response = WholeAnswer.of(client, HttpRequest.newBuilder(url).build(), limit, LONGEST_ANSWER);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%d %s%n%s%n",
                            response.statusCode(), url, response.body().strip());
            return response.statusCode() == 200 ? 0 : 1;
        } finally {
            client.shutdownNow();
        }
    }

    private HttpClient client(Duration limit) throws IOException {
        var builder = HttpClient.newBuilder().connectTimeout(limit);
        return authorities == null
                ? builder.build()
                : builder.sslContext(trusting(authorities)).build();
    }

    private static SSLContext trusting(Path file) throws IOException {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (var certificate : Pem.certificates(Files.readString(file))) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
