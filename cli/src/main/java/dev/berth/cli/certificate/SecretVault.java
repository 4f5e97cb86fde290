package dev.berth.cli.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kube.config.Secrets;
import dev.berth.web.tls.CertificateBundle;
import dev.berth.web.tls.CertificateVault;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Keeps certificates in a Secret. A Secret without entries counts as none: the chart makes it so, and then this replica
 * needs no right to create Secrets.
 */
final class SecretVault implements CertificateVault {
    // Not kubernetes.io/tls: such a Secret cannot be made empty.
    private static final String TYPE = "Opaque";

    private final Secrets secrets;
    private final String name;

    SecretVault(Secrets secrets, String name) {
        this.secrets = secrets;
        this.name = name;
    }

    @Override
    public Optional<Stored> read() throws IOException {
        try {
            return stored(secrets.read(name));
        } catch (KubernetesClientException e) {
            throw new IOException("the Secret %s cannot be read: %s".formatted(name, e.getMessage()), e);
        }
    }

    @Override
    public boolean write(CertificateBundle bundle, Optional<String> expectedVersion) throws IOException {
        var written = new AtomicBoolean();
        try {
            secrets.change(name, TYPE, current -> {
                boolean unchanged = stored(current).map(Stored::version).equals(expectedVersion);
                written.set(unchanged);
                return unchanged ? Optional.of(bytes(bundle)) : Optional.empty();
            });
        } catch (KubernetesClientException e) {
            throw new IOException("the Secret %s cannot be written: %s".formatted(name, e.getMessage()), e);
        }
        return written.get();
    }

    private static Optional<Stored> stored(Optional<Map<String, byte[]>> content) {
        return content.filter(entries -> !entries.isEmpty())
                .map(entries -> new Stored(
                        CertificateBundle.of(entries.entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey, entry -> new String(entry.getValue(), UTF_8)))),
                        digest(entries)));
    }

    private static Map<String, byte[]> bytes(CertificateBundle bundle) {
        var bytes = new TreeMap<String, byte[]>();
        bundle.entries().forEach((key, text) -> bytes.put(key, text.getBytes(UTF_8)));
        return bytes;
    }

    /** The content is its own version: {@link Secrets#change} asks again when the Secret changed in between. */
    private static String digest(Map<String, byte[]> entries) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(entries).forEach((key, value) -> {
                digest.update((key + '=' + value.length + '=').getBytes(UTF_8));
                digest.update(value);
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
