package dev.berth.web.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that Berth makes for itself, keeps in a {@link CertificateVault} that all replicas share, and renews at
 * two thirds of their life without a restart. How the change of an authority goes is told in DESIGN.md.
 */
public final class ManagedCertificates implements TlsSource {
    private static final Logger log = LoggerFactory.getLogger(ManagedCertificates.class);
    private static final int ATTEMPTS = 5;

    /**
     * @param names host names and addresses that clients use
     * @param settle how long a new authority is trusted before it signs, so that every API server has heard of it
     */
    public record Settings(List<String> names, Duration authorityLife, Duration servingLife, Duration settle) {
        public Settings {
            names = List.copyOf(names);
            if (names.isEmpty()) {
                throw new IllegalArgumentException("a certificate needs a name to be made for");
            }
            if (servingLife.compareTo(authorityLife) > 0) {
                throw new IllegalArgumentException("a serving certificate cannot outlive its authority");
            }
        }

        public static Settings forNames(List<String> names) {
            return new Settings(names, Duration.ofDays(730), Duration.ofDays(90), Duration.ofMinutes(1));
        }
    }

    private final CertificateVault vault;
    private final Settings settings;
    private final InstantSource clock;
    private final BooleanSupplier mayWrite;
    private final Consumer<String> trust;
    private volatile @Nullable SSLContext context;
    private @Nullable String inUse;

    /**
     * @param mayWrite whether this replica is the one that makes certificates (it holds the Lease); the others only use
     *     them
     * @param trust gets the authorities' certificates (PEM) at every refresh of the replica that may write, and puts
     *     them where clients look: the caBundle of our webhook configurations. Throws when it could not.
     */
    public ManagedCertificates(
            CertificateVault vault,
            Settings settings,
            InstantSource clock,
            BooleanSupplier mayWrite,
            Consumer<String> trust) {
        this.vault = vault;
        this.settings = settings;
        this.clock = clock;
        this.mayWrite = mayWrite;
        this.trust = trust;
    }

    /** Whether there is a certificate to serve with. */
    public boolean ready() {
        return context != null;
    }

    @Override
    public SSLContext context() {
        var current = context;
        if (current == null) {
            throw new IllegalStateException("there is no certificate yet: refresh first");
        }
        return current;
    }

    /**
     * One round: read what is kept, renew what is due, have the authorities trusted, use the certificate. To be called
     * about every ten seconds, and before the server starts. A failure changes nothing: what is in use stays in use.
     */
    public void refresh() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var stored = vault.read();
            var kept = stored.flatMap(this::understand);
            if (!mayWrite.getAsBoolean()) {
                kept.ifPresent(this::use);
                return;
            }
            if (kept.isPresent()) {
                trust.accept(Pem.text(kept.get().authorities()));
            }
            var due = due(kept);
            if (due.isEmpty()) {
                kept.ifPresent(this::use);
                return;
            }
            // Somebody else was faster: look at what they made.
            if (vault.write(due.get().bundle(), stored.map(CertificateVault.Stored::version))) {
                log.info("certificates renewed: {}", due.get().reason());
            }
        }
        throw new IOException("the certificates changed " + ATTEMPTS + " times while they were being renewed");
    }

    private record Renewal(CertificateBundle bundle, String reason) {}

    private record Kept(Authority signer, List<X509Certificate> authorities, ServingCertificate serving) {
        CertificateBundle bundle() {
            return new CertificateBundle(
                    Pem.text(authorities), Pem.text(signer.key()), Pem.text(serving.chain()), Pem.text(serving.key()));
        }
    }

    private Optional<Kept> understand(CertificateVault.Stored stored) {
        var bundle = stored.bundle();
        try {
            var authorities = Pem.certificates(bundle.authorities());
            return Optional.of(new Kept(
                    new Authority(Pem.privateKey(bundle.authorityKey()), authorities.getFirst()),
                    authorities,
                    ServingCertificate.parse(bundle.certificate(), bundle.key())));
        } catch (IllegalArgumentException e) {
            log.warn("the certificates that are kept make no sense: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private void use(Kept kept) {
        var bundle = kept.bundle();
        if (!bundle.certificate().equals(inUse)) {
            context = kept.serving().context(List.of());
            inUse = bundle.certificate();
            log.info(
                    "certificate serial={} expires={} in use",
                    kept.serving().certificate().getSerialNumber().toString(16),
                    kept.serving().certificate().getNotAfter().toInstant());
        }
    }

    /** At most one step at a time, so that each is trusted before the next is taken. */
    private Optional<Renewal> due(Optional<Kept> found) {
        var now = clock.instant();
        if (found.isEmpty() || expired(found.get().signer().certificate(), now)) {
            return Optional.of(new Renewal(begin(now).bundle(), "a new authority and a certificate from it"));
        }
        var kept = found.get();
        if (renewAt(kept.signer().certificate()).isBefore(now)) {
            return Optional.of(new Renewal(withNewAuthority(kept, now).bundle(), "a new authority beside the old one"));
        }
        return reasonToReissue(kept, now).map(reason -> {
            var life = min(
                    settings.servingLife(),
                    Duration.between(now, end(kept.signer().certificate())));
            var serving = kept.signer().issueServing(settings.names(), now, life);
            return new Renewal(new Kept(kept.signer(), stillTrusted(kept, now), serving).bundle(), reason);
        });
    }

    private Optional<String> reasonToReissue(Kept kept, Instant now) {
        var serving = kept.serving().certificate();
        if (expired(serving, now) || !signedByOneOf(kept.authorities(), serving)) {
            return Optional.of("the certificate was not valid");
        }
        if (!SubjectNames.of(serving).containsAll(settings.names())) {
            return Optional.of("the certificate lacked a name of " + settings.names());
        }
        var signer = kept.signer().certificate();
        if (!signedByOneOf(List.of(signer), serving)) {
            var settled =
                    signer.getNotBefore().toInstant().plus(Authority.BACKDATED).plus(settings.settle());
            return settled.isAfter(now) ? Optional.empty() : Optional.of("a certificate from the new authority");
        }
        return renewAt(serving).isBefore(now)
                ? Optional.of("two thirds of the certificate's life were over")
                : Optional.empty();
    }

    private Kept begin(Instant now) {
        var authority = Authority.create("berth", now, settings.authorityLife());
        var serving = authority.issueServing(settings.names(), now, settings.servingLife());
        return new Kept(authority, List.of(authority.certificate()), serving);
    }

    private Kept withNewAuthority(Kept kept, Instant now) {
        var next = Authority.create("berth", now, settings.authorityLife());
        var trusted = new ArrayList<>(List.of(next.certificate()));
        trusted.addAll(stillTrusted(kept, now));
        return new Kept(next, trusted, kept.serving());
    }

    private static List<X509Certificate> stillTrusted(Kept kept, Instant now) {
        return kept.authorities().stream()
                .filter(authority -> !expired(authority, now))
                .toList();
    }

    private static boolean signedByOneOf(List<X509Certificate> authorities, X509Certificate certificate) {
        return authorities.stream().anyMatch(authority -> {
            try {
                certificate.verify(authority.getPublicKey());
                return true;
            } catch (GeneralSecurityException _) {
                return false;
            }
        });
    }

    private static boolean expired(X509Certificate certificate, Instant now) {
        return end(certificate).isBefore(now);
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    private static Instant renewAt(X509Certificate certificate) {
        var start = certificate.getNotBefore().toInstant();
        return start.plus(
                Duration.between(start, end(certificate)).multipliedBy(2).dividedBy(3));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
