package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Writes the file by which clients find a server. */
final class Kubeconfig {
    private Kubeconfig() {}

    static Path write(Path file, URI server, Optional<Path> authority, Optional<String> token) {
        var ca = authority.map(path -> ", certificate-authority: " + path).orElse("");
        var user = token.map("token: "::concat).orElse("");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: it, cluster: {server: "%s"%s}}]
                    users: [{name: admin, user: {%s}}]
                    contexts: [{name: it, context: {cluster: it, user: admin}}]
                    current-context: it
                    """.formatted(server, ca, user));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
