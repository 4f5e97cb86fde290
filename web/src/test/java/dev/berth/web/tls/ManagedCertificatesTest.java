package dev.berth.web.tls;

import static dev.berth.web.tls.Handshakes.serialSeen;
import static dev.berth.web.tls.Handshakes.serve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManagedCertificatesTest {
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(300);
    private static final Duration SERVING_LIFE = Duration.ofDays(30);
    private static final Duration SETTLE = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofDays(5);

    private final ManualClock clock = new ManualClock();
    private final MemoryVault vault = new MemoryVault();
    private final List<String> trusted = new ArrayList<>();
    private final ManagedCertificates certificates = replica(true);

    @Test
    void theFirstRoundMakesAnAuthorityAndACertificateThatClientsAccept() throws Exception {
        certificates.refresh();

        try (var server = serve(certificates)) {
            assertThat(serialSeen(server.port("https"), authorities().getFirst()))
                    .isEqualTo(serving().getSerialNumber());
        }
        assertThat(trusted).last().isEqualTo(vault.bundle().authorities());
    }

    @Test
    void nothingIsWrittenBeforeTwoThirdsOfLife() throws Exception {
        certificates.refresh();
        clock.advance(SERVING_LIFE.multipliedBy(65).dividedBy(100));

        certificates.refresh();

        assertThat(vault.writes()).isEqualTo(1);
    }

    @Test
    void aCertificateIsRenewedAtTwoThirdsOfItsLifeByTheSameAuthority() throws Exception {
        certificates.refresh();
        var old = serving();
        var authority = authorities();
        clock.advance(SERVING_LIFE.multipliedBy(67).dividedBy(100));

        certificates.refresh();

        assertThat(serving()).isNotEqualTo(old);
        assertThat(authorities()).isEqualTo(authority);
    }

    @Test
    void aNewAuthorityIsTrustedBesideTheOldOneBeforeItSigns() throws Exception {
        certificates.refresh();
        var oldAuthority = authorities().getFirst();
        while (authorities().size() == 1) {
            ageTo(STEP);
        }

        assertThat(clock.instant())
                .isBefore(oldAuthority.getNotAfter().toInstant().minus(AUTHORITY_LIFE.dividedBy(4)));
        assertThat(authorities()).hasSize(2).last().isEqualTo(oldAuthority);
        assertThat(trusted).last().isEqualTo(vault.bundle().authorities());
        assertThat(signedBy(serving(), oldAuthority)).isTrue();

        clock.advance(SETTLE.plusSeconds(1));
        certificates.refresh();

        assertThat(signedBy(serving(), authorities().getFirst())).isTrue();
        assertThat(authorities()).hasSize(2);
    }

    @Test
    void aServerChangesItsAuthorityWithoutARestart() throws Exception {
        certificates.refresh();
        try (var server = serve(certificates)) {
            ageTo(AUTHORITY_LIFE.multipliedBy(67).dividedBy(100));
            clock.advance(SETTLE.plusSeconds(1));
            certificates.refresh();
            assertThat(signedBy(serving(), authorities().getFirst())).isTrue();

            assertThat(servedBy(certificates))
                    .isEqualTo(serving().getSerialNumber().toString(16));
            assertThat(server.draining()).isFalse();
        }
    }

    @Test
    void theOldAuthorityIsForgottenOnceItHasExpired() throws Exception {
        certificates.refresh();
        var oldAuthority = authorities().getFirst();
        ageTo(AUTHORITY_LIFE.plusDays(31));

        assertThat(authorities()).doesNotContain(oldAuthority).hasSize(1);
    }

    @Test
    void afterALongSleepEverythingIsMadeAnew() throws Exception {
        certificates.refresh();
        var oldAuthority = authorities().getFirst();
        clock.advance(AUTHORITY_LIFE.multipliedBy(2));

        certificates.refresh();

        assertThat(authorities()).doesNotContain(oldAuthority).hasSize(1);
        assertThat(signedBy(serving(), authorities().getFirst())).isTrue();
    }

    @Test
    void twoReplicasThatStartTogetherEndWithOneAuthority() throws Exception {
        var other = replica(true);
        vault.beforeNextWrite(() -> refreshed(other));

        certificates.refresh();

        assertThat(vault.writes()).isEqualTo(1);
        assertThat(servedBy(certificates)).isEqualTo(servedBy(other));
    }

    @Test
    void aReplicaThatMayNotWriteUsesWhatTheOtherMade() throws Exception {
        var follower = replica(false);
        follower.refresh();
        assertThat(follower.ready()).isFalse();

        certificates.refresh();
        follower.refresh();

        assertThat(servedBy(follower)).isEqualTo(servedBy(certificates));
    }

    @Test
    void nothingSignsWhileItCannotBeTrusted() throws Exception {
        certificates.refresh();
        clock.advance(SERVING_LIFE.multipliedBy(2).dividedBy(3).plusDays(1));
        var failing = new ManagedCertificates(vault, settings("berth.test"), clock, () -> true, _ -> {
            throw new IllegalStateException("webhook configuration not patched");
        });

        assertThatThrownBy(failing::refresh).hasMessageContaining("not patched");
        assertThat(vault.writes()).isEqualTo(1);
    }

    @Test
    void aNewNameGetsANewCertificate() throws Exception {
        certificates.refresh();

        new ManagedCertificates(vault, settings("other.test"), clock, () -> true, trusted::add).refresh();

        assertThat(SubjectNames.of(serving())).contains("other.test");
    }

    @Test
    void anUnreadableContentIsReplaced() throws Exception {
        assertThat(vault.write(CertificateBundle.of(Map.of("tls.crt", "nonsense")), Optional.empty()))
                .isTrue();

        certificates.refresh();

        assertThat(certificates.ready()).isTrue();
    }

    private ManagedCertificates replica(boolean mayWrite) {
        return new ManagedCertificates(vault, settings("berth.test"), clock, () -> mayWrite, trusted::add);
    }

    private static ManagedCertificates.Settings settings(String name) {
        return new ManagedCertificates.Settings(List.of(name, "127.0.0.1"), AUTHORITY_LIFE, SERVING_LIFE, SETTLE);
    }

    /** Lives on step by step, as a real server would. */
    private void ageTo(Duration age) throws IOException {
        for (var lived = Duration.ZERO; lived.compareTo(age) < 0; lived = lived.plus(STEP)) {
            clock.advance(STEP);
            certificates.refresh();
        }
    }

    private static void refreshed(ManagedCertificates certificates) {
        try {
            certificates.refresh();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate serving() {
        return Pem.certificates(vault.bundle().certificate()).getFirst();
    }

    private List<X509Certificate> authorities() {
        return Pem.certificates(vault.bundle().authorities());
    }

    private static boolean signedBy(X509Certificate certificate, X509Certificate authority) {
        return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    }

    /** The serial that a handshake shows, without asking whether the clock of this machine likes it. */
    private static String servedBy(ManagedCertificates certificates) throws Exception {
        try (var server = serve(certificates)) {
            return Handshakes.serialSeenByAnyone(server.port("https")).toString(16);
        }
    }
}
