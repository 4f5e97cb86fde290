package dev.berth.kube.config;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads and changes Secrets so that of two writers the later one starts again from what the first one wrote. */
public final class Secrets {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Cluster cluster;
    private final String namespace;

    public Secrets(Cluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
    }

    public Optional<Map<String, byte[]>> read(String name) {
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> get(name).map(Secrets::content));
    }

    /**
     * Gives the Secret's content, or none, to the function and stores what it returns; nothing returned leaves the
     * Secret as it is. On a conflict the function is asked again. The result is what the Secret holds in the end.
     */
    public Optional<Map<String, byte[]>> change(
            String name, String type, Function<Optional<Map<String, byte[]>>, Optional<Map<String, byte[]>>> function) {
        return cluster.retry().call(Repeat.IF_CONFLICT, PATIENCE, () -> {
            var current = get(name);
            var before = current.map(Secrets::content);
            var after = function.apply(before);
            after.ifPresent(content -> put(name, type, current, content));
            return after.or(() -> before);
        });
    }

    private void put(String name, String type, Optional<Secret> current, Map<String, byte[]> content) {
        var encoded = new TreeMap<String, String>();
        content.forEach((key, bytes) -> encoded.put(key, Base64.getEncoder().encodeToString(bytes)));
        if (current.isPresent()) {
            var next = new SecretBuilder(current.get()).withData(encoded).build();
            cluster.courier().tell("PUT", path(name), next);
            return;
        }
        var made = new SecretBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .build())
                .withType(type)
                .withData(encoded)
                .build();
        cluster.courier().tell("POST", path(""), made);
    }

    private Optional<Secret> get(String name) {
        return cluster.courier().get(path(name), Secret.class);
    }

    /** Of all of them, for no name. */
    private String path(String name) {
        return "/api/v1/namespaces/%s/secrets%s".formatted(namespace, name.isEmpty() ? "" : "/" + name);
    }

    private static Map<String, byte[]> content(Secret secret) {
        var content = new TreeMap<String, byte[]>();
        Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                .forEach((key, text) -> content.put(key, Base64.getDecoder().decode(text)));
        return content;
    }
}
