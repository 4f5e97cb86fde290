package dev.berth.kube;

import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the API server is and who we are there: a kubeconfig, the pod's service account, or a plain address. */
public sealed interface ConnectionSettings {
    /** The fabric8 configuration that follows from the settings; reads the files that they name. */
    Config resolve();

    /** One or more kubeconfig files; of two entries with one name the first counts. */
    record FromKubeconfig(List<Path> files, Optional<String> context) implements ConnectionSettings {
        public FromKubeconfig {
            files = List.copyOf(files);
        }

        @Override
        public Config resolve() {
            return Kubeconfig.read(files, context);
        }
    }

    /** What a pod finds inside the cluster. */
    record InCluster(String host, String port, Path directory) implements ConnectionSettings {
        @Override
        public Config resolve() {
            return ServiceAccount.read(host, port, directory);
        }
    }

    /** An address without credentials, such as the embedded API server's. */
    record At(URI address) implements ConnectionSettings {
        @Override
        public Config resolve() {
            var config = Config.empty();
            config.setMasterUrl(address.toString());
            return config;
        }
    }

    /** Other settings, and an API server elsewhere. */
    record Elsewhere(ConnectionSettings base, URI address) implements ConnectionSettings {
        @Override
        public Config resolve() {
            var config = base.resolve();
            config.setMasterUrl(address.toString());
            return config;
        }
    }

    /**
     * Other settings with a token of its own, read again when its file changes, or another authority: a file with PEM,
     * or with base64 of it as a kubeconfig has it.
     */
    record With(ConnectionSettings base, Optional<Path> tokenFile, Optional<Path> authorityFile)
            implements ConnectionSettings {
        @Override
        public Config resolve() {
            var config = base.resolve();
            tokenFile.ifPresent(file -> config.setOauthTokenProvider(new TokenFile(file)::current));
            authorityFile.ifPresent(file -> config.setCaCertData(authority(file)));
            return config;
        }

        private static String authority(Path file) {
            try {
                var text = Files.readString(file).strip();
                return text.startsWith("-----")
                        ? Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                        : checked(file, text.replaceAll("\\s", ""));
            } catch (IOException unreadable) {
                throw new ConnectionException("CA certificate %s cannot be read".formatted(file), unreadable);
            }
        }

        private static String checked(Path file, String base64) {
            try {
                var pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
                if (pem.contains("BEGIN CERTIFICATE")) {
                    return base64;
                }
            } catch (IllegalArgumentException notBase64) {
                // Said below.
            }
            throw new ConnectionException("CA certificate %s is neither PEM nor base64 of PEM".formatted(file));
        }
    }

    static ConnectionSettings of(Optional<Path> kubeconfig, Optional<String> context) {
        return of(kubeconfig, context, System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    /** The usual order: flag, {@code KUBECONFIG}, {@code ~/.kube/config}, in-cluster. */
    static ConnectionSettings of(
            Optional<Path> kubeconfig, Optional<String> context, Map<String, String> environment, Path home) {
        if (kubeconfig.isPresent()) {
            return new FromKubeconfig(List.of(kubeconfig.get()), context);
        }
        var listed = Arrays.stream(environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .toList();
        if (!listed.isEmpty()) {
            return new FromKubeconfig(listed, context);
        }
        var usual = home.resolve(".kube").resolve("config");
        var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (Files.exists(usual) || context.isPresent()) {
            return new FromKubeconfig(List.of(usual), context);
        }
        if (!host.isBlank()) {
            return new InCluster(
                    host, environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"), ServiceAccount.DIRECTORY);
        }
        throw new ConnectionException(
                "no cluster: --kubeconfig is not given, KUBECONFIG is not set, %s does not exist, and this is no pod of a cluster (KUBERNETES_SERVICE_HOST is not set)"
                        .formatted(usual));
    }
}
