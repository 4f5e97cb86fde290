package dev.berth.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Turns kubeconfig files into a client configuration. fabric8 can, too, but loads two thousand classes for it (a second
 * of start-up) and passes silently over what is wrong; it is asked only for users who log in by a program.
 */
final class Kubeconfig {
    private final List<KubeconfigFile> files;
    private final String names;

    private Kubeconfig(List<Path> paths) {
        this.files = KubeconfigFile.read(paths);
        this.names = String.join(", ", paths.stream().map(Path::toString).toList());
    }

    static Config read(List<Path> paths, Optional<String> context) {
        return new Kubeconfig(paths).resolve(context);
    }

    private Config resolve(Optional<String> wanted) {
        String name = wanted.or(() -> files.stream()
                        .flatMap(file -> file.root().text("current-context").stream())
                        .findFirst())
                .orElseThrow(() -> problem(" has no current-context; name one with --context"));
        var context = entry("contexts", "context", name)
                .orElseThrow(() -> problem(
                        " has no context '%s' (it has: %s)".formatted(name, String.join(", ", all("contexts")))));
        String clusterName = context.text("cluster").orElse("");
        var cluster = entry("clusters", "cluster", clusterName)
                .orElseThrow(() ->
                        problem(": context '%s' names cluster '%s', which is not in it".formatted(name, clusterName)));
        var userName = context.text("user");
        var user = userName.map(who -> entry("users", "user", who)
                .orElseThrow(() -> problem(": context '%s' names user '%s', who is not in it".formatted(name, who))));

        if (user.isPresent() && (user.get().has("exec") || user.get().has("auth-provider"))) {
            return readByFabric8(name);
        }
        var config = Config.empty();
        context.text("namespace").ifPresent(config::setNamespace);
        fillCluster(config, cluster, clusterName);
        user.ifPresent(who -> fillUser(config, who, userName.orElseThrow()));
        return config;
    }

    private void fillCluster(Config config, KubeconfigFile.Section cluster, String name) {
        String server = cluster.text("server").orElse("");
        if (!isAddress(server)) {
            throw problem(": cluster '%s' has the server '%s', which is not an http or https address"
                    .formatted(name, server));
        }
        config.setMasterUrl(server);
        config.setTrustCerts(
                cluster.text("insecure-skip-tls-verify").filter("true"::equals).isPresent());
        cluster.text("tls-server-name").ifPresent(config::setTlsServerName);
        cluster.text("proxy-url").ifPresent(proxy -> {
            config.setHttpProxy(proxy);
            config.setHttpsProxy(proxy);
        });
        cluster.text("certificate-authority-data").ifPresent(config::setCaCertData);
        file(cluster, "cluster '%s'".formatted(name), "certificate-authority")
                .ifPresent(path -> config.setCaCertFile(path.toString()));
    }

    private void fillUser(Config config, KubeconfigFile.Section user, String name) {
        var who = "user '%s'".formatted(name);
        user.text("client-certificate-data").ifPresent(config::setClientCertData);
        user.text("client-key-data").ifPresent(config::setClientKeyData);
        file(user, who, "client-certificate").ifPresent(path -> config.setClientCertFile(path.toString()));
        file(user, who, "client-key").ifPresent(path -> config.setClientKeyFile(path.toString()));
        if (config.getClientKeyData() != null || config.getClientKeyFile() != null) {
            var algorithm = Config.getKeyAlgorithm(config.getClientKeyFile(), config.getClientKeyData());
            config.setClientKeyAlgo(Objects.requireNonNullElse(algorithm, "RSA"));
        }
        user.text("token").ifPresent(config::setOauthToken);
        file(user, who, "tokenFile").ifPresent(path -> config.setOauthTokenProvider(new TokenFile(path)::current));
        user.text("username").ifPresent(config::setUsername);
        user.text("password").ifPresent(config::setPassword);
        user.text("as").ifPresent(config::setImpersonateUsername);
        var groups = user.texts("as-groups");
        if (!groups.isEmpty()) {
            config.setImpersonateGroups(groups.toArray(String[]::new));
        }
    }

    private Config readByFabric8(String context) {
        var config = Config.empty();
        var parsed = files.stream().map(this::parse).toArray(io.fabric8.kubernetes.api.model.Config[]::new);
        KubeConfigUtils.merge(config, context, parsed);
        return config;
    }

    private io.fabric8.kubernetes.api.model.Config parse(KubeconfigFile file) {
        try {
            return KubeConfigUtils.parseConfig(file.path().toFile());
        } catch (IllegalArgumentException | KubernetesClientException unlike) {
            // Not in its words: they quote what stands there.
            throw problem(" has a field that is not what a kubeconfig has there, such as an exec that is no object");
        }
    }

    private Optional<Path> file(KubeconfigFile.Section section, String whose, String field) {
        var path = section.path(field);
        path.filter(file -> !Files.isReadable(file)).ifPresent(file -> {
            throw problem(": %s of %s is the file %s, which cannot be read".formatted(field, whose, file));
        });
        return path;
    }

    private Optional<KubeconfigFile.Section> entry(String list, String kind, String name) {
        return files.stream()
                .flatMap(file -> file.root().sections(list).stream())
                .filter(section -> section.text("name").filter(name::equals).isPresent())
                .findFirst()
                .flatMap(section -> section.section(kind));
    }

    private List<String> all(String list) {
        return files.stream()
                .flatMap(file -> file.root().sections(list).stream())
                .flatMap(section -> section.text("name").stream())
                .distinct()
                .toList();
    }

    private static boolean isAddress(String server) {
        try {
            var address = URI.create(server);
            var scheme = Objects.requireNonNullElse(address.getScheme(), "");
            return (scheme.equals("http") || scheme.equals("https")) && address.getHost() != null;
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    private ConnectionException problem(String message) {
        return new ConnectionException("kubeconfig " + names + message);
    }
}
