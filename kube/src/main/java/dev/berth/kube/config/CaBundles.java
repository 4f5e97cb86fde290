package dev.berth.kube.config;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** Tells the API server whom to trust when it calls our webhooks. */
public final class CaBundles {
    /** What became of the bundle. */
    public enum Outcome {
        WRITTEN,
        UNCHANGED,
        /** There is no such webhook configuration. */
        ABSENT
    }

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Cluster cluster;

    public CaBundles(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Puts these certificates into every webhook of a MutatingWebhookConfiguration. */
    public Outcome writeMutating(String name, String pem) {
        return write(
                "mutatingwebhookconfigurations/" + name,
                MutatingWebhookConfiguration.class,
                configuration -> configuration.getWebhooks().stream()
                        .map(MutatingWebhook::getClientConfig)
                        .toList(),
                pem);
    }

    /** Puts these certificates into every webhook of a ValidatingWebhookConfiguration. */
    public Outcome writeValidating(String name, String pem) {
        return write(
                "validatingwebhookconfigurations/" + name,
                ValidatingWebhookConfiguration.class,
                configuration -> configuration.getWebhooks().stream()
                        .map(ValidatingWebhook::getClientConfig)
                        .toList(),
                pem);
    }

    private <T extends HasMetadata> Outcome write(
            String where, Class<T> kind, Function<T, List<WebhookClientConfig>> webhooks, String pem) {
        var path = "/apis/admissionregistration.k8s.io/v1/" + where;
        var bundle = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        return cluster.retry().call(Repeat.IF_CONFLICT, PATIENCE, () -> {
            var configuration = cluster.courier().get(path, kind);
            if (configuration.isEmpty()) {
                return Outcome.ABSENT;
            }
            var stale = webhooks.apply(configuration.get()).stream()
                    .filter(webhook -> !bundle.equals(webhook.getCaBundle()))
                    .toList();
            if (stale.isEmpty()) {
                return Outcome.UNCHANGED;
            }
            stale.forEach(webhook -> webhook.setCaBundle(bundle));
            cluster.courier().tell("PUT", path, configuration.get());
            return Outcome.WRITTEN;
        });
    }
}
