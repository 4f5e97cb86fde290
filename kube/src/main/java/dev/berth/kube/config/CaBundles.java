package dev.berth.kube.config;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.dsl.Resource;
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
                cluster.client()
                        .admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .withName(name),
                configuration -> configuration.getWebhooks().stream()
                        .map(MutatingWebhook::getClientConfig)
                        .toList(),
                pem);
    }

    /** Puts these certificates into every webhook of a ValidatingWebhookConfiguration. */
    public Outcome writeValidating(String name, String pem) {
        return write(
                cluster.client()
                        .admissionRegistration()
                        .v1()
                        .validatingWebhookConfigurations()
                        .withName(name),
                configuration -> configuration.getWebhooks().stream()
                        .map(ValidatingWebhook::getClientConfig)
                        .toList(),
                pem);
    }

    private <T extends HasMetadata> Outcome write(
            Resource<T> resource, Function<T, List<WebhookClientConfig>> webhooks, String pem) {
        var bundle = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        return cluster.retry().call(Repeat.IF_CONFLICT, PATIENCE, () -> {
            var configuration = resource.get();
            if (configuration == null) {
                return Outcome.ABSENT;
            }
            var stale = webhooks.apply(configuration).stream()
                    .filter(webhook -> !bundle.equals(webhook.getCaBundle()))
                    .toList();
            if (stale.isEmpty()) {
                return Outcome.UNCHANGED;
            }
            stale.forEach(webhook -> webhook.setCaBundle(bundle));
            cluster.client().resource(configuration).update();
            return Outcome.WRITTEN;
        });
    }
}
