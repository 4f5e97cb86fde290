package dev.berth.cli.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.config.Secrets;
import dev.berth.web.tls.Pem;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SelfManagedTest {
    private static final ServiceName SERVICE = new ServiceName("default", "door");
    private static final String SECRET = "door-tls";

    private final ApiServer server =
            ApiServer.start(ApiServerSettings.defaults().withPort(0));
    private final Cluster cluster = Cluster.connect(new ConnectionSettings.At(URI.create(server.url())));
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>(List.of(cluster, server));
    private volatile Instant now = Instant.now();
    private final InstantSource clock = () -> now;

    @BeforeEach
    void aWebhook() {
        cluster.client()
                .resource(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName("door")
                        .endMetadata()
                        .addNewWebhook()
                        .withName("door.berth.dev")
                        .withAdmissionReviewVersions("v1")
                        .withSideEffects("None")
                        .withNewClientConfig()
                        .withNewService()
                        .withNamespace("default")
                        .withName("door")
                        .endService()
                        .endClientConfig()
                        .endWebhook()
                        .build())
                .create();
    }

    @AfterEach
    void close() throws Exception {
        for (var each : open) each.close();
    }

    private SelfManaged replica() {
        try {
            var replica = SelfManaged.start(
                    cluster, SERVICE, SECRET, new SelfManaged.Webhooks(List.of("door"), List.of()), clock);
            open.push(replica);
            return replica;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whichever of the two leads renews; the other one only looks. */
    private void bothRefresh(SelfManaged one, SelfManaged other) throws IOException {
        one.certificates().refresh();
        other.certificates().refresh();
    }

    private List<X509Certificate> kept(String entry) {
        var content = new Secrets(cluster, "default").read(SECRET).orElseThrow();
        return Pem.certificates(new String(content.get(entry), UTF_8));
    }

    private List<X509Certificate> trusted() {
        var bundle = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("door")
                .get()
                .getWebhooks()
                .getFirst()
                .getClientConfig()
                .getCaBundle();
        return Pem.certificates(new String(Base64.getDecoder().decode(bundle), UTF_8));
    }

    @Test
    void twoReplicasThatStartTogetherShareOneAuthority() throws Exception {
        try (var starting = Executors.newVirtualThreadPerTaskExecutor()) {
            var one = starting.submit(this::replica);
            var other = starting.submit(this::replica);

            assertThat(one.get().certificates().ready()).isTrue();
            assertThat(other.get().certificates().ready()).isTrue();
        }
        assertThat(trusted()).hasSize(1).isEqualTo(kept("ca.crt"));
    }

    @Test
    void aSecretThatTheChartMadeEmptyIsFilled() {
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(SECRET)
                        .endMetadata()
                        .build())
                .create();

        replica();

        assertThat(kept("tls.crt").getFirst().getSubjectX500Principal().getName())
                .contains("door.default.svc");
    }

    @Test
    void theCertificateIsRenewedAtTwoThirdsOfItsLifeUnderTheSameAuthority() throws IOException {
        var one = replica();
        var other = replica();
        var first = kept("tls.crt");
        var authorities = kept("ca.crt");
        var served = other.certificates().context();

        now = now.plus(Duration.ofDays(61));
        bothRefresh(one, other);

        assertThat(kept("tls.crt")).isNotEqualTo(first);
        assertThat(kept("ca.crt")).isEqualTo(authorities);
        assertThat(other.certificates().context()).isNotSameAs(served);
    }

    @Test
    void aNewAuthorityIsTrustedBesideTheOldOneBeforeItSigns() throws Exception {
        var one = replica();
        var other = replica();
        var old = kept("ca.crt").getFirst();

        for (int renewals = 0; renewals < 8; renewals++) {
            now = now.plus(Duration.ofDays(61));
            bothRefresh(one, other);
        }
        assertThat(trusted()).hasSize(2).contains(old).isEqualTo(kept("ca.crt"));
        kept("tls.crt").getFirst().verify(old.getPublicKey());

        now = now.plus(Duration.ofMinutes(2));
        bothRefresh(one, other);
        assertThat(trusted()).hasSize(2);
        kept("tls.crt").getFirst().verify(trusted().getFirst().getPublicKey());
    }
}
