package dev.berth.web.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key in files, read again when they change. The files are looked at when a client connects, at
 * most once a second; a change that cannot be read yet (a key that is written after its certificate) leaves the old
 * certificate in use until it can.
 */
public final class CertificateFiles implements TlsSource {
    private static final Logger log = LoggerFactory.getLogger(CertificateFiles.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Paths paths;
    private final ClientCertificates clientCertificates;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Loaded loaded;
    private volatile Instant lookedAt;
    private List<String> lastFailure = List.of();

    private record Paths(Path certificate, Path key, Optional<Path> clientAuthorities) {
        /** What a change of the content would change, through the symbolic links of a mounted Secret too. */
        List<String> stamp() throws IOException {
            var all = new ArrayList<>(List.of(certificate, key));
            clientAuthorities.ifPresent(all::add);
            var stamps = new ArrayList<String>();
            for (var path : all) {
                var attributes = Files.readAttributes(path, BasicFileAttributes.class);
                stamps.add(attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey());
            }
            return List.copyOf(stamps);
        }
    }

    private record Loaded(SSLContext context, List<String> stamp) {}

    private CertificateFiles(Paths paths, ClientCertificates clientCertificates, InstantSource clock) {
        this.paths = paths;
        this.clientCertificates = clientCertificates;
        this.clock = clock;
        this.lookedAt = clock.instant();
        try {
            this.loaded = load(paths, paths.stamp());
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException naming the file that is missing or wrong */
    public static CertificateFiles open(Path certificate, Path key, InstantSource clock) {
        return new CertificateFiles(new Paths(certificate, key, Optional.empty()), ClientCertificates.IGNORED, clock);
    }

    /** As {@link #open}, and asks clients for a certificate that one of the authorities in the file has signed. */
    public static CertificateFiles open(
            Path certificate, Path key, Path clientAuthorities, ClientCertificates wish, InstantSource clock) {
        return new CertificateFiles(new Paths(certificate, key, Optional.of(clientAuthorities)), wish, clock);
    }

    @Override
    public ClientCertificates clientCertificates() {
        return clientCertificates;
    }

    @Override
    public SSLContext context() {
        // Whoever finds the lock taken serves the old certificate once more instead of waiting for the disk.
        if (!clock.instant().isBefore(lookedAt.plus(LOOK_AGAIN)) && lock.tryLock()) {
            try {
                lookedAt = clock.instant();
                reloadIfChanged();
            } finally {
                lock.unlock();
            }
        }
        return loaded.context();
    }

    private void reloadIfChanged() {
        List<String> stamp = List.of();
        try {
            stamp = paths.stamp();
            if (!stamp.equals(loaded.stamp())) {
                loaded = load(paths, stamp);
                lastFailure = List.of();
                log.info("certificate={} reloaded", paths.certificate());
            }
        } catch (IOException | IllegalArgumentException e) {
            if (!stamp.equals(lastFailure) || stamp.isEmpty()) {
                log.warn("certificate={} changed but is not used: {}", paths.certificate(), e.getMessage());
                lastFailure = stamp;
            }
        }
    }

    private static Loaded load(Paths paths, List<String> stamp) throws IOException {
        var chain = read(paths.certificate(), Pem::certificates);
        var key = read(paths.key(), Pem::privateKey);
        List<X509Certificate> clients = List.of();
        if (paths.clientAuthorities().isPresent()) {
            clients = read(paths.clientAuthorities().get(), Pem::certificates);
        }
        try {
            return new Loaded(new ServingCertificate(key, chain).context(clients), stamp);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(paths.certificate() + " and " + paths.key() + ": " + e.getMessage(), e);
        }
    }

    private static <T> T read(Path path, Function<String, T> parse) throws IOException {
        var text = Files.readString(path);
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }
}
