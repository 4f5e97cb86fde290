package dev.berth.kube;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The identity that Kubernetes mounts into every pod. */
final class ServiceAccount {
    static final Path DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private ServiceAccount() {}

    static Config read(String host, String port, Path directory) {
        var token = required(directory.resolve("token"));
        var authority = required(directory.resolve("ca.crt"));
        var config = Config.empty();
        config.setMasterUrl("https://%s:%s/".formatted(host.contains(":") ? "[" + host + "]" : host, port));
        config.setCaCertFile(authority.toString());
        // Kubernetes replaces the token every hour; a client that reads it once is locked out after a day.
        config.setOauthTokenProvider(new TokenFile(token)::current);
        var namespace = directory.resolve("namespace");
        if (Files.isReadable(namespace)) {
            try {
                config.setNamespace(Files.readString(namespace).strip());
            } catch (IOException unreadable) {
                throw new ConnectionException("in-cluster: %s cannot be read".formatted(namespace), unreadable);
            }
        }
        return config;
    }

    private static Path required(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConnectionException(
                    "in-cluster: %s cannot be read; is automountServiceAccountToken off?".formatted(file));
        }
        return file;
    }
}
