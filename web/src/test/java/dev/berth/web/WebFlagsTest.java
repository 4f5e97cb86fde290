package dev.berth.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.web.WebSettings.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class WebFlagsTest {
    @TempDir
    private Path folder;

    @Test
    void withoutFlagsTheCommandDecides() {
        assertThat(settings()).isEqualTo(new WebSettings("127.0.0.1", new Transport.PlainHttp()));
    }

    @Test
    void theAddressIsTaken() {
        assertThat(settings("--bind-address", "0.0.0.0").bindAddress()).isEqualTo("0.0.0.0");
    }

    @Test
    void filesAreTakenTogether() throws Exception {
        var certificate = Files.writeString(folder.resolve("tls.crt"), "");
        var key = Files.writeString(folder.resolve("tls.key"), "");

        assertThat(settings("--tls-cert", certificate.toString(), "--tls-key", key.toString())
                        .transport())
                .isEqualTo(new Transport.Files(certificate, key));
    }

    @Test
    void oneFileWithoutTheOtherIsRefused() {
        assertThatThrownBy(() -> settings("--tls-cert", "a.crt"))
                .isInstanceOf(ParameterException.class)
                .hasMessage("both --tls-cert and --tls-key are needed: --tls-key is missing");
    }

    @Test
    void aFileThatIsNotThereIsNamed() throws Exception {
        var certificate = Files.writeString(folder.resolve("tls.crt"), "");

        assertThatThrownBy(() -> settings("--tls-cert", certificate.toString(), "--tls-key", "/none/tls.key"))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--tls-key: /none/tls.key does not exist");
    }

    @Test
    void selfSignedAndInsecureAreUnderstood() {
        assertThat(settings("--self-signed").transport()).isEqualTo(new Transport.OwnCertificate());
        assertThat(settings("--insecure-http").transport()).isEqualTo(new Transport.PlainHttp());
    }

    @Test
    void contradictionsAreRefused() {
        assertThatThrownBy(() -> settings("--self-signed", "--insecure-http"))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--self-signed and --insecure-http exclude each other: choose one");
        assertThatThrownBy(() -> settings("--tls-cert", "a", "--tls-key", "b", "--insecure-http"))
                .hasMessageContaining("--tls-cert/--tls-key and --insecure-http exclude each other");
    }

    private static WebSettings settings(String... arguments) {
        var serve = new Serve();
        new CommandLine(serve).parseArgs(arguments);
        return serve.web.settings("127.0.0.1", new Transport.PlainHttp());
    }

    @Command(name = "serve")
    private static final class Serve {
        @Mixin
        private final WebFlags web = new WebFlags();
    }
}
