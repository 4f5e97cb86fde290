package dev.berth.cli.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.tls.Pem;
import dev.berth.web.tls.ServingCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CertsCommandTest {
    @TempDir
    private Path directory = Path.of(".");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int certs(String... arguments) {
        return new CommandLine(new CertsCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void theFilesHoldACertificateForTheServiceAndItsAuthority() throws Exception {
        assertThat(certs("--service", "gpu-scheduler", "--namespace", "gpu", "--out", directory.toString()))
                .isZero();

        var serving = ServingCertificate.parse(read("tls.crt"), read("tls.key"));
        assertThat(serving.certificate().getSubjectAlternativeNames().toString())
                .contains("gpu-scheduler.gpu.svc", "gpu-scheduler.gpu.svc.cluster.local");
        serving.certificate().verify(Pem.certificates(read("ca.crt")).getFirst().getPublicKey());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("tls.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aNameTooLongForASubjectIsStillServed() throws Exception {
        var service = "a-service-whose-name-is-quite-long-and-then-some";
        assertThat(certs(
                        "--service", service, "--namespace", "in-a-namespace-like-that", "--out", directory.toString()))
                .isZero();

        var serving = ServingCertificate.parse(read("tls.crt"), read("tls.key"));
        assertThat(serving.certificate().getSubjectAlternativeNames().toString())
                .contains(service + ".in-a-namespace-like-that.svc");
    }

    @Test
    void aKeyThatIsThereIsNotOverwritten() throws IOException {
        certs("--service", "a", "--out", directory.toString());
        var key = read("tls.key");

        assertThat(certs("--service", "a", "--out", directory.toString())).isEqualTo(2);

        assertThat(err.toString()).contains("ca.crt exists");
        assertThat(read("tls.key")).isEqualTo(key);
    }

    @Test
    void withoutADirectoryTheyArePrinted() {
        assertThat(certs("--service", "a")).isZero();
        assertThat(out.toString()).contains("# ca.crt", "# tls.key", "BEGIN PRIVATE KEY");
    }

    private String read(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }
}
