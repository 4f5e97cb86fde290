package dev.berth.e2e.server;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;

/** An API server that runs, and the ways to talk to it. */
public interface Cluster extends AutoCloseable {
    /** {@code real} or {@code embedded}. */
    String name();

    URI address();

    /** For an administrator. */
    Path kubeconfig();

    /** Trusts the server; requests carry {@link #token} themselves. */
    HttpClient http();

    /** The administrator's bearer token; empty where the server asks for none. */
    Optional<String> token();

    /** A fabric8 client whose default namespace is the given one; the caller closes it. */
    default KubernetesClient client(String namespace) {
        var config = Config.fromKubeconfig(kubeconfig().toFile());
        config.setNamespace(namespace);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    void close();
}
