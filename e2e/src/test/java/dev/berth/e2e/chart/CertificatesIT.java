package dev.berth.e2e.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.web.tls.Authority;
import dev.berth.web.tls.Pem;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** Who keeps the door's certificate, and that nobody has to restart anything for it. */
@OnBothServers(controllers = true)
class CertificatesIT {
    private static final String A100 = "fudo.org/gpu.a100";
    private static final String SECRET = AssignerRelease.FULL_NAME + "-tls";

    @Story
    @Timeout(300)
    void replicasShareACertificateThatTheApiServerTrusts(Dialogue server, Cluster cluster) {
        try (var release = AssignerRelease.install(cluster, server.namespace())) {
            release.addNode(server.namespace() + "-n1", Map.of("GPU-1", List.of(A100), "GPU-2", List.of(A100)));
            release.createGpuPod("p1", A100);
            assertThat(served(release)).hasSize(1).isEqualTo(List.of(kept(release, "tls.crt")));
            assertThat(trusted(release)).isEqualTo(kept(release, "ca.crt"));

            release.kubelet().killOne();
            release.await(() -> release.kubelet().restarts() == 1, "the killed replica is not back");
            release.await(
                    () -> release.kubelet()
                                    .readyAddresses(AssignerRelease.FULL_NAME)
                                    .size()
                            == 2,
                    "not two");
            assertThat(served(release))
                    .as("a new process takes the certificate that is there")
                    .isEqualTo(List.of(kept(release, "tls.crt")));

            // Worse than any renewal: all of it is lost.
            var before = kept(release, "ca.crt");
            release.client()
                    .secrets()
                    .inNamespace(release.namespace())
                    .withName(SECRET)
                    .edit(secret -> new SecretBuilder(secret).withData(Map.of()).build());
            release.await(() -> !keptOr(release, "ca.crt", before).equals(before), "no new authority was made");
            release.await(
                    () -> served(release).equals(List.of(kept(release, "tls.crt"))), "replicas serve the old one");
            assertThat(trusted(release)).isEqualTo(kept(release, "ca.crt"));
            release.createGpuPod("p2", A100);
            assertThat(release.kubelet().restarts())
                    .as("only the one that was killed")
                    .isEqualTo(1);
        }
    }

    @Story
    @Timeout(300)
    void aCertificateOfYoursIsReadAgainWhenItChanges(Dialogue server, Cluster cluster) {
        var authority = Authority.create("yours", Instant.now(), Duration.ofDays(1));
        var bundle = Base64.getEncoder()
                .encodeToString(Pem.text(authority.certificate()).getBytes(UTF_8));
        try (var client = cluster.client(server.namespace())) {
            client.resource(secret(server.namespace(), authority)).create();
            try (var release = AssignerRelease.install(
                    cluster,
                    server.namespace(),
                    "replicas=1",
                    "tls.mode=existingSecret",
                    "tls.secretName=yours",
                    "tls.caBundle=" + bundle)) {
                release.addNode(server.namespace() + "-n1", Map.of("GPU-1", List.of(A100), "GPU-2", List.of(A100)));
                release.createGpuPod("p1", A100);
                var first = served(release);

                client.resource(secret(server.namespace(), authority)).update();
                release.await(() -> !served(release).equals(first), "the old certificate is still served");
                release.createGpuPod("p2", A100);
                assertThat(release.kubelet().restarts()).isZero();
                assertThat(release.test()).contains("Succeeded");
            }
        }
    }

    private static Secret secret(String namespace, Authority authority) {
        var serving = authority.issueServing(
                List.of(AssignerRelease.FULL_NAME + "." + namespace + ".svc"), Instant.now(), Duration.ofHours(1));
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("yours")
                .endMetadata()
                .withType("kubernetes.io/tls")
                .addToStringData("ca.crt", Pem.text(authority.certificate()))
                .addToStringData("tls.crt", Pem.text(serving.chain()))
                .addToStringData("tls.key", Pem.text(serving.key()))
                .build();
    }

    /** The chains that the ready replicas show; one, if they agree. */
    private static List<List<X509Certificate>> served(AssignerRelease release) {
        return release.kubelet().readyAddresses(AssignerRelease.FULL_NAME).stream()
                .map(address -> Handshake.with(address, release.webhookPort()))
                .distinct()
                .toList();
    }

    private static List<X509Certificate> kept(AssignerRelease release, String entry) {
        return keptOr(release, entry, List.of());
    }

    private static List<X509Certificate> keptOr(
            AssignerRelease release, String entry, List<X509Certificate> otherwise) {
        var data = release.client()
                .secrets()
                .inNamespace(release.namespace())
                .withName(SECRET)
                .get()
                .getData();
        if (data == null || !data.containsKey(entry)) return otherwise;
        return Pem.certificates(new String(Base64.getDecoder().decode(data.get(entry)), UTF_8));
    }

    private static List<X509Certificate> trusted(AssignerRelease release) {
        var bundle = release.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(release.webhookConfiguration())
                .get()
                .getWebhooks()
                .getFirst()
                .getClientConfig()
                .getCaBundle();
        return Pem.certificates(new String(Base64.getDecoder().decode(bundle), UTF_8));
    }
}
