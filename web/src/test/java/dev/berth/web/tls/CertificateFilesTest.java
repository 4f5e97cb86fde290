package dev.berth.web.tls;

import static dev.berth.web.tls.Handshakes.connect;
import static dev.berth.web.tls.Handshakes.serialSeen;
import static dev.berth.web.tls.Handshakes.serve;
import static dev.berth.web.tls.Handshakes.trusting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.web.tls.TlsSource.ClientCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFilesTest {
    private static final Duration LIFE = Duration.ofDays(1);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Authority authority = Authority.create("test", clock.instant(), LIFE);
    private Path certificate = Path.of("");
    private Path key = Path.of("");

    @BeforeEach
    void writeFirst() throws Exception {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
        write(issue());
    }

    @Test
    void aChangedCertificateIsServedToTheNextClientAndOldConnectionsLive() throws Exception {
        try (var server = serve(CertificateFiles.open(certificate, key, clock));
                var before =
                        connect(server.port("https"), trusting(List.of(authority.certificate()), Optional.empty()))) {
            var next = issue();
            write(next);
            clock.advance(Duration.ofSeconds(2));

            assertThat(serialSeen(server.port("https"), authority.certificate()))
                    .isEqualTo(next.certificate().getSerialNumber())
                    .isNotEqualTo(serialSeen(before));
            assertThat(get(before)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aKeyThatIsNotYetWrittenLeavesTheOldCertificateInUse() throws Exception {
        var files = CertificateFiles.open(certificate, key, clock);
        var old = files.context();
        var next = issue();
        Files.writeString(certificate, Pem.text(next.chain()));
        clock.advance(Duration.ofSeconds(2));

        assertThat(files.context()).isSameAs(old);

        Files.writeString(key, Pem.text(next.key()));
        clock.advance(Duration.ofSeconds(2));
        assertThat(files.context()).isNotSameAs(old);
    }

    @Test
    void theFileThatIsMissingIsNamed() {
        assertThatThrownBy(() -> CertificateFiles.open(certificate, folder.resolve("none.key"), clock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.key");
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        Files.writeString(key, Pem.text(issue().key()));

        assertThatThrownBy(() -> CertificateFiles.open(certificate, key, clock))
                .hasMessageContaining("tls.crt")
                .hasMessageContaining("does not belong to the certificate");
    }

    @Test
    void aFileThatIsNoCertificateIsNamed() throws Exception {
        Files.writeString(certificate, "hello");

        assertThatThrownBy(() -> CertificateFiles.open(certificate, key, clock)).hasMessageContaining("tls.crt: it ");
    }

    @Test
    void tlsOneOneIsRefused() throws Exception {
        try (var server = serve(CertificateFiles.open(certificate, key, clock));
                var socket = (SSLSocket) trusting(List.of(authority.certificate()), Optional.empty())
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.port("https"))) {
            socket.setEnabledProtocols(new String[] {"TLSv1.1"});

            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void http2IsNegotiatedOverTls() throws Exception {
        try (var server = serve(CertificateFiles.open(certificate, key, clock));
                var client = HttpClient.newBuilder()
                        .sslContext(trusting(List.of(authority.certificate()), Optional.empty()))
                        .build()) {
            var response = client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port("https") + "/"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void aWantedClientCertificateIsShownToTheHandlerAndMayBeMissing() throws Exception {
        try (var server = serve(asking(ClientCertificates.WANTED));
                var known = connect(server.port("https"), trustingWith(authority));
                var nobody =
                        connect(server.port("https"), trusting(List.of(authority.certificate()), Optional.empty()))) {
            assertThat(get(known)).endsWith("CN=alice, O=admins");
            assertThat(get(nobody)).endsWith("nobody");
        }
    }

    @Test
    void aClientCertificateOfAStrangerIsRefused() throws Exception {
        var stranger = Authority.create("stranger", clock.instant(), LIFE);
        try (var server = serve(asking(ClientCertificates.NEEDED))) {
            assertThatThrownBy(() -> {
                        try (var socket = connect(server.port("https"), trustingWith(stranger))) {
                            // With TLS 1.3 the client hears of the refusal later: by an alert when it reads, or by the
                            // closed connection when it is still writing.
                            get(socket);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whoeverCallsMustShowACertificateButHealthIsForAll() throws Exception {
        try (var server = serve(asking(ClientCertificates.NEEDED_TO_CALL));
                var known = connect(server.port("https"), trustingWith(authority));
                var nobody =
                        connect(server.port("https"), trusting(List.of(authority.certificate()), Optional.empty()));
                var kubelet =
                        connect(server.port("https"), trusting(List.of(authority.certificate()), Optional.empty()))) {
            assertThat(get(known)).endsWith("CN=alice, O=admins");
            assertThat(get(nobody)).startsWith("HTTP/1.1 401").contains("show a client certificate");
            // Nothing is served there in this test, but it was let through to where that is said.
            assertThat(get(kubelet, "/healthz")).startsWith("HTTP/1.1 404");
        }
    }

    private CertificateFiles asking(ClientCertificates wish) throws Exception {
        var authorities = folder.resolve("clients.crt");
        Files.writeString(authorities, Pem.text(authority.certificate()));
        return CertificateFiles.open(certificate, key, authorities, wish, clock);
    }

    private SSLContext trustingWith(Authority signer) throws Exception {
        return trusting(
                List.of(authority.certificate()),
                Optional.of(signer.issueClient("alice", List.of("admins"), clock.instant(), LIFE)));
    }

    private ServingCertificate issue() {
        return authority.issueServing(List.of("localhost", "127.0.0.1"), clock.instant(), LIFE);
    }

    private void write(ServingCertificate serving) throws Exception {
        Files.writeString(certificate, Pem.text(serving.chain()));
        Files.writeString(key, Pem.text(serving.key()));
    }

    private static String get(SSLSocket socket) throws Exception {
        return get(socket, "/");
    }

    private static String get(SSLSocket socket, String path) throws Exception {
        socket.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .formatted(path)
                        .getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
}
