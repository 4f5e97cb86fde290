package dev.berth.e2e.chart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.e2e.server.Cluster;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The directory in which a pod's volumes lie, and its identity: a kubeconfig with a token of its ServiceAccount. */
record PodFolder(Cluster cluster, KubernetesClient client, Pod pod, Path directory) {
    /** Writes what is new or has changed, as a kubelet does; a volume that cannot be filled is an exception. */
    void refreshVolumes() {
        for (var volume : Objects.requireNonNullElse(pod.getSpec().getVolumes(), List.<Volume>of())) {
            var folder = directory.resolve("volumes").resolve(volume.getName());
            try {
                Files.createDirectories(folder);
                for (var file : content(volume).entrySet()) write(folder.resolve(file.getKey()), file.getValue());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Map<String, byte[]> content(Volume volume) {
        var namespace = pod.getMetadata().getNamespace();
        var files = new TreeMap<String, byte[]>();
        if (volume.getSecret() != null) {
            var source = volume.getSecret();
            var secret = client.secrets()
                    .inNamespace(namespace)
                    .withName(source.getSecretName())
                    .get();
            if (secret == null) throw new IllegalStateException("secret " + source.getSecretName() + " not found");
            Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                    .forEach((key, text) -> files.put(key, Base64.getDecoder().decode(text)));
            var items = Objects.requireNonNullElse(source.getItems(), List.<KeyToPath>of());
            if (!items.isEmpty()) {
                var chosen = new TreeMap<String, byte[]>();
                for (var item : items) {
                    var bytes = files.get(item.getKey());
                    if (bytes == null) throw new IllegalStateException("the secret lacks " + item.getKey());
                    chosen.put(item.getPath(), bytes);
                }
                return chosen;
            }
        } else if (volume.getConfigMap() != null) {
            var map = client.configMaps()
                    .inNamespace(namespace)
                    .withName(volume.getConfigMap().getName())
                    .get();
            if (map == null) {
                throw new IllegalStateException(
                        "config map " + volume.getConfigMap().getName() + " not found");
            }
            map.getData().forEach((key, text) -> files.put(key, text.getBytes(UTF_8)));
        }
        return files;
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), bytes)) return;
        var draft = file.resolveSibling("." + file.getFileName());
        Files.write(draft, bytes);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A path inside the container becomes one on this machine. */
    String translate(String text, List<VolumeMount> mounts) {
        var translated = text;
        for (var mount : mounts) {
            translated = translated.replace(
                    mount.getMountPath() + "/", directory.resolve("volumes").resolve(mount.getName()) + "/");
        }
        return translated;
    }

    /**
     * The administrator's file with the pod's own token in it: what the chart's RBAC allows is all that the pod may do.
     */
    Path kubeconfig() {
        try {
            var text = Files.readString(cluster.kubeconfig(), UTF_8)
                    .replace(
                            "user: admin}",
                            "user: admin, namespace: " + pod.getMetadata().getNamespace() + "}");
            if (cluster.token().isPresent()) text = text.replace(cluster.token().get(), ownToken());
            return Files.writeString(directory.resolve("kubeconfig"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ownToken() {
        var account = Objects.requireNonNullElse(pod.getSpec().getServiceAccountName(), "default");
        return client.serviceAccounts()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
